"""A forgotten student is in no file of the class's folder, and the others keep everything."""

import zipfile

import pytest
from click.testing import CliRunner

from autograder.classroom.folder import Classroom
from autograder.classroom.policy_file import FILE as POLICY
from autograder.classroom.policy_file import policy_of
from autograder.cli import context
from autograder.cli import grade as verbs
from autograder.cli.forget import forget
from autograder.record import journal
from autograder.record.course_site import collected as records
from autograder.record.course_site.collected import Collected
from autograder.record.gradebook import Recorder
from autograder.record.policy_text import without_student
from tests.autograder.record.recording import grade_manually, marks_by_student
from tests.autograder.tiny_class import LAB, TinyClass

POLICY_TEXT = f"""students:
  s17: {{excused: [{LAB}]}}   # s17 was ill
  ben: {{extend: {{{LAB}: 3 days}}}}
groups: {{{LAB}: [[s17, ben], [s171]]}}
"""


@pytest.fixture
def full_class(tiny_class: TinyClass, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    """A graded class of s17, who is Zoe Quirk, s171 and ben, in which every kind of file mentions s17."""
    classroom = tiny_class.classroom
    monkeypatch.setattr(context, "ROOT", classroom.root)
    monkeypatch.setattr(verbs, "ROOT", classroom.root)
    for student in ("s17", "s171", "ben"):
        tiny_class.hand_in(student, why="Because.")
    with recorder.open() as gradebook:
        gradebook.add_student("s17", first_name="Zoe", last_name="Quirk", email="zq@x.org", lms_user_id="90017")
    (classroom.folder / POLICY).write_text(POLICY_TEXT)
    one = Collected("canvas", "quirkzoe_90017_2_lab.ipynb", 1, "2026-11-20T10:00:00+00:00", False, "", False, None)
    records.keep(classroom, LAB, {"s17": one, "ben": one.__class__(**{**vars(one), "entry": "ben_1_2_lab.ipynb"})})
    CliRunner().invoke(verbs.grade, [LAB, "--no-throughput", "--leaderboard"], catch_exceptions=False)
    for student in ("s17", "ben"):
        grade_manually(recorder, student, 2)
    (classroom.folder / "students.csv").write_text("id,last_name\ns17,Quirk\nben,B\n")
    with zipfile.ZipFile(classroom.folder / "submissions.zip", "w") as archive:
        archive.writestr("quirkzoe_90017_2_lab.ipynb", "{}")
        archive.writestr("ben_1_2_lab.ipynb", "{}")
    return classroom


def mentions(classroom: Classroom, *words: str) -> list[str]:
    """Return the files whose name or bytes have one of the words."""
    found = []
    for path in (each for each in classroom.folder.rglob("*") if each.is_file()):
        name = path.relative_to(classroom.folder).as_posix()
        content = path.read_bytes().replace(b"s171", b"") + name.replace("s171", "").encode()
        found += [name] * any(word.encode() in content for word in words)
    return found


def test_a_forgotten_student_is_in_no_file_and_the_others_keep_their_marks(
    full_class: Classroom, recorder: Recorder
) -> None:
    words = ("s17", "Quirk", "Zoe", "quirkzoe", "zq@x.org", "90017")
    before = marks_by_student(recorder)
    assert len(mentions(full_class, *words)) > 10

    output = CliRunner().invoke(forget, ["s17", "--yes"], catch_exceptions=False).stdout

    assert mentions(full_class, *words) == []
    assert marks_by_student(recorder) == {name: mark for name, mark in before.items() if name != "s17"}
    assert [each.student for each in journal.entries(full_class) if each.what != POLICY] == ["ben"]
    assert policy_of(full_class).groups[LAB][0].members == ("ben",)
    assert list(records.load(full_class, LAB)) == ["ben"]
    for path in ("gradebook.db", "submitted/s17", "policy.yml", "students.csv", "submissions.zip", "journal.jsonl"):
        assert f"{path} " in output


def test_a_dry_run_lists_the_files_and_changes_none(full_class: Classroom) -> None:
    before = {path: path.read_bytes() for path in full_class.folder.rglob("*") if path.is_file()}

    output = CliRunner().invoke(forget, ["s17", "--dry-run"], catch_exceptions=False).stdout

    after = {path: path.read_bytes() for path in full_class.folder.rglob("*") if path.is_file()}
    assert "gradebook.db" in output
    assert {path for path in before if before[path] != after.get(path)} <= {full_class.folder / ".grading"}


def test_a_colour_of_code_in_a_page_is_no_mention(full_class: Classroom) -> None:
    page = full_class.feedback_of(LAB, "ben") / f"{LAB}.html"
    coloured = '<style>\n.s17 { color: red }\n</style><span class="s17">text</span>'
    found = {}
    for text in (coloured, f"{coloured}<p>s17</p>"):
        page.write_text(text)
        output = CliRunner().invoke(forget, ["s17", "--dry-run"], catch_exceptions=False).stdout
        found[text] = any("feedback/ben" in line for line in output.splitlines())

    assert list(found.values()) == [False, True]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("students: {s1: {excused: [a]}, s2: {}}", "students: {s2: {}}"),
        ("students: {s2: {}, s1: {excused: [a]}}", "students: {s2: {}}"),
        ("students:\n  s1: {excused: [a]}\n  s2: {}\n", "students:\n  s2: {}\n"),
        ("groups: {a: [[s1], [s2, s3]]}", "groups: {a: [[s2, s3]]}"),
        ("groups: {a: {Red: [s2, s1], Blue: [s1]}}", "groups: {a: {Red: [s2]}}"),
        ("groups:\n  a:\n    - [s1, s2]\n    - [s3]\n", "groups:\n  a:\n    - [s2]\n    - [s3]\n"),
        ("groups:\n  a:\n    - - s1\n      - s2\n", "groups:\n  a:\n    - - s2\n"),
        ("due: {s1: x}  # s10", "due: {s1: x}  # s10"),
    ],
)
def test_the_policy_loses_the_student_and_keeps_its_layout(text: str, left: str) -> None:
    assert without_student(text, "s1") == left


def test_an_id_that_no_student_has_is_an_error(full_class: Classroom) -> None:
    result = CliRunner().invoke(forget, ["number", "--yes"])  # a word of the notebooks

    assert "no student number in" in str(result.exception)
