"""The class's folder: student ids, seeds, submissions, the secret and the lock."""

import dataclasses
import os
import stat
from pathlib import Path

import pytest

from autograder.classroom.folder import BadSecret, BadStudent, ClassInUse, student_id
from autograder.classroom.stray_work import SEARCH_DEPTH
from tests.autograder.tiny_class import TinyClass


@pytest.mark.parametrize("name", ["ada", "żółć", "O'Brien, Pat", "=cmd|' !A0", "a+b@x.org", "-rf", "x" * 100])
def test_an_id_may_have_letters_of_every_language_commas_and_formulas(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()

    assert student_id(tmp_path / name) == name


@pytest.mark.parametrize(
    "name",
    ["<b>", "a*", "a?", "[ab]", "{x}", 'a"b', "a\nb", "\x1b[31m", "a\u202eb", ".hidden", " a", "a ", "x" * 101],
    ids=repr,
)
def test_an_id_that_could_control_nbgrader_or_a_page_is_rejected(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()

    with pytest.raises(BadStudent, match="rename the folder"):
        student_id(tmp_path / name)


def test_a_folder_name_that_is_not_utf_8_is_rejected(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/a\xff"
    os.mkdir(folder)

    with pytest.raises(BadStudent, match="UTF-8"):
        student_id(Path(os.fsdecode(folder)))


def test_a_students_folder_that_is_a_link_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "mallory").symlink_to("ada")

    with pytest.raises(BadStudent, match="symbolic link"):
        student_id(tmp_path / "mallory")


def test_one_bad_folder_does_not_hide_the_others(tiny_class) -> None:
    tiny_class.hand_in("ada")
    (tiny_class.classroom.submitted / "<b>" / "lab99_tiny").mkdir(parents=True)

    found, problems = tiny_class.classroom.handed_in("lab99_tiny")

    assert [each.student for each in found] == ["ada"]
    assert len(problems) == 1
    assert "'<'" in problems[0]


def problems_of(tiny_class, *files: str) -> list[str]:
    """Return the problems of a class in which ada handed in these files."""
    for name in files:
        path = tiny_class.classroom.submitted / "ada" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    return tiny_class.classroom.handed_in("lab99_tiny")[1]


@pytest.mark.parametrize(
    "name", ["lab1/x.ipynb", "lab99_tiny.ipynb", "homework/ada/lab99_tiny/lab99_tiny.ipynb", "LAB99_TINY/X.IPYNB"]
)
def test_a_notebook_in_no_labs_folder_is_reported_with_the_expected_path(tiny_class, name: str) -> None:
    (problem,) = problems_of(tiny_class, name)

    assert name in problem
    assert "submitted/ada/lab99_tiny/lab99_tiny.ipynb" in problem


def test_a_student_without_any_labs_folder_is_reported_once(tiny_class) -> None:
    problems = problems_of(tiny_class, "a/x.ipynb", "b/x.ipynb", "lab99_tiny.ipynb", "x.ipynb")

    assert len(problems) == 1
    assert "'lab99_tiny.ipynb'" in problems[0]


def test_next_to_a_labs_folder_only_a_notebook_with_the_labs_name_is_reported(tiny_class) -> None:
    tiny_class.hand_in("ada")

    problems = problems_of(tiny_class, "lab1/a.ipynb", "lab1/lab99_tiny.ipynb", "homework/deep/c.ipynb", "data/x.csv")

    assert len(problems) == 1
    assert "'lab1/lab99_tiny.ipynb'" in problems[0]
    assert [each.student for each in tiny_class.classroom.handed_in("lab99_tiny")[0]] == ["ada"]


def test_what_is_not_a_misplaced_notebook_is_not_reported(tiny_class) -> None:
    tiny_class.hand_in("ada")
    elsewhere = tiny_class.classroom.folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "x.ipynb").write_text("{}")
    (tiny_class.classroom.submitted / "ada" / "linked").symlink_to(elsewhere)
    (tiny_class.classroom.submitted / "ben").symlink_to(elsewhere)
    beyond = "/".join("a" * SEARCH_DEPTH) + "/too/deep/x.ipynb"  # a submission may be nested without end

    assert problems_of(tiny_class, ".ipynb_checkpoints/x.ipynb", "__MACOSX/._x.ipynb", "data/x.csv", beyond) == []


def test_a_misplaced_notebook_is_reported_when_its_own_lab_is_graded(tiny_class) -> None:
    classroom = tiny_class.classroom
    labs = {**classroom.course.labs, "lab98_earlier": classroom.course.labs["lab99_tiny"]}
    classroom = dataclasses.replace(classroom, course=classroom.course.model_copy(update={"labs": labs}))
    problems_of(tiny_class, "homework/lab98_earlier.ipynb")

    assert classroom.handed_in("lab99_tiny")[1] == []
    assert len(classroom.handed_in("lab98_earlier")[1]) == 1


def test_seeds_differ_between_students_and_labs_and_stay_the_same(tiny_class) -> None:
    classroom = tiny_class.classroom

    seeds = [classroom.seed_of(lab, name) for lab in ("lab1", "lab2") for name in ("ada", "ben")]

    assert len(set(seeds)) == 4
    assert seeds[0] == classroom.seed_of("lab1", "ada")


def test_only_the_owner_can_read_the_secret(tiny_class) -> None:
    tiny_class.classroom.secret()

    mode = stat.S_IMODE((tiny_class.classroom.folder / "secret").stat().st_mode)

    assert mode == 0o600


@pytest.mark.parametrize("linked", ["lab99_tiny", "lab98_earlier"])
def test_a_submission_folder_that_is_a_link_is_rejected(tiny_class, linked: str) -> None:
    classroom = tiny_class.classroom
    labs = {**classroom.course.labs, "lab98_earlier": classroom.course.labs["lab99_tiny"]}
    classroom = dataclasses.replace(classroom, course=classroom.course.model_copy(update={"labs": labs}))
    tiny_class.hand_in("ada")
    (classroom.submitted / "mallory").mkdir()
    if linked != "lab99_tiny":
        tiny_class.hand_in("mallory")
    (classroom.submitted / "mallory" / linked).symlink_to(classroom.submitted / "ada" / "lab99_tiny")

    found, problems = classroom.handed_in("lab99_tiny")

    assert [each.student for each in found] == ["ada"]
    assert f"{linked} is a symbolic link" in problems[0]


@pytest.mark.parametrize("content", ["", "\n", "ab" * 31, "ab" * 33, "no digits", "ab" * 16])
def test_an_incomplete_secret_is_rejected(tiny_class, content: str) -> None:
    tiny_class.classroom.secret()
    (tiny_class.classroom.folder / "secret").write_text(content)

    with pytest.raises(BadSecret, match="is damaged: expected 64 hexadecimal digits"):
        tiny_class.classroom.seed_of("lab1", "ada")


def test_a_secret_is_written_completely_or_not_at_all(tiny_class, monkeypatch: pytest.MonkeyPatch) -> None:
    def disk_full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", disk_full)
    with pytest.raises(OSError, match="No space"):
        tiny_class.classroom.secret()

    assert list(tiny_class.classroom.folder.iterdir()) == []


def test_if_two_processes_create_the_secret_both_use_the_first_one(tiny_class, monkeypatch: pytest.MonkeyPatch) -> None:
    link, path = os.link, tiny_class.classroom.folder / "secret"

    def link_after_another(draft: str, target: Path) -> None:
        path.write_text("ab" * 32)
        link(draft, target)

    monkeypatch.setattr(os, "link", link_after_another)

    assert tiny_class.classroom.secret() == b"\xab" * 32


def test_other_users_cannot_enter_the_folder_of_a_class(tiny_class) -> None:
    folder = tiny_class.classroom.folder
    folder.mkdir(mode=0o755, exist_ok=True)

    with tiny_class.classroom.locked():
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_only_one_process_at_a_time_grades_a_class(tiny_class) -> None:
    with (
        tiny_class.classroom.locked(),
        pytest.raises(ClassInUse, match=f"graded by process {os.getpid()}"),
        tiny_class.classroom.locked(),
    ):
        pass
    with tiny_class.classroom.locked():
        pass


def test_a_shared_folder_stays_shared_and_closed_to_others(tiny_class: TinyClass) -> None:
    classroom = tiny_class.classroom
    classroom.folder.mkdir(parents=True)
    classroom.folder.chmod(0o2775)

    with classroom.locked():
        path = tiny_class.hand_in("ada")
        path.chmod(0o600)
        path.parent.chmod(0o700)
        classroom.secret()

    modes = {each: stat.S_IMODE(each.stat().st_mode) for each in (classroom.folder, path.parent, path)}
    assert list(modes.values()) == [0o2770, 0o2770, 0o660]
    assert stat.S_IMODE((classroom.folder / "secret").stat().st_mode) == 0o660


def test_a_folder_that_is_not_shared_keeps_its_files_closed(tiny_class: TinyClass) -> None:
    with tiny_class.classroom.locked():
        path = tiny_class.hand_in("ada")
        path.chmod(0o600)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
