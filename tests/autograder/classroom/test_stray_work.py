"""Work that the judge does not read is named, each with what to do, and nobody gets 0 points for it."""

import copy
import shutil
from pathlib import Path

import pytest

from tests.autograder.tiny_class import LAB, TinyClass

TARGET = f"{LAB}/{LAB}.ipynb"
MOODLE = "Jane Doe_123_assignsubmission_file"
CANVAS = f"doejane_LATE_123_456_{LAB}-1.ipynb"


def put(tiny_class: TinyClass, *files: str) -> list[str]:
    """Put files into submitted/; return the sentences about them."""
    for name in files:
        path = tiny_class.classroom.submitted / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    return tiny_class.classroom.handed_in(LAB)[1]


def judged(tiny_class: TinyClass) -> list[str]:
    return [each.student for each in tiny_class.classroom.handed_in(LAB)[0] if not each.why_not]


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ([f"{LAB} (1).ipynb"], f"got '{LAB} (1).ipynb'; move it to {TARGET}"),
        (["LAB99_TINY.IPYNB"], f"got 'LAB99_TINY.IPYNB'; move it to {TARGET}"),
        ([f"{LAB}/{LAB}.ipynb"], f"got '{LAB}/{LAB}.ipynb'; move it to {TARGET}"),
        (["a.ipynb", "b.ipynb"], f"got 'a.ipynb' and 'b.ipynb'; move the one that counts to {TARGET}"),
        (["work.zip", "x.pdf"], f"got the archive 'work.zip'; unpack its notebook to {TARGET}"),
        ([f"{LAB}.ipynb.txt"], f"got '{LAB}.ipynb.txt'; move it to {TARGET}"),
        ([f"{LAB}.ipynb "], f"got '{LAB}.ipynb '; move it to {TARGET}"),
        ([f"{LAB}.ipynb.zip"], f"got the archive '{LAB}.ipynb.zip'; unpack its notebook to {TARGET}"),
        ([f"{LAB}.py"], f"got '{LAB}.py' without a notebook; ask the student for it"),
        (["x.pdf", ".hidden.ipynb"], "got a folder without a notebook; ask the student for it"),
    ],
    ids=[
        "a browser's second download",
        "capitals",
        "a folder too deep",
        "two",
        "an archive",
        "a browser's ending",
        "a space at the end",
        "a zipped notebook",
        "an export",
        "no notebook",
    ],
)
def test_a_labs_folder_without_its_notebook_is_not_judged_and_the_sentence_names_what_it_holds(
    tiny_class: TinyClass, files: list[str], sentence: str
) -> None:
    problems = put(tiny_class, *(f"ada/{LAB}/{each}" for each in files))

    assert problems == [f"submitted/'ada': expected {TARGET}, {sentence}"]
    assert judged(tiny_class) == []


def test_a_file_in_place_of_the_labs_folder_is_not_judged(tiny_class: TinyClass) -> None:
    (problem,) = put(tiny_class, f"ada/{LAB}")

    assert f"got a file in place of the folder {LAB}" in problem
    assert judged(tiny_class) == []


@pytest.mark.parametrize("copy", [f"{LAB}/{LAB} (1).ipynb", f"{LAB}/my work.ipynb", f"{LAB}-Copy1.ipynb"])
def test_an_untouched_starter_next_to_other_work_is_not_judged(tiny_class: TinyClass, copy: str) -> None:
    solved = tiny_class.hand_in("ada")
    solved.rename(solved.parents[1] / copy)
    tiny_class.hand_in_notebook("ada", tiny_class.released)

    why = f"{TARGET} is the released notebook, unchanged; if '{copy}' counts, put it there"
    assert tiny_class.classroom.handed_in(LAB)[1] == [f"submitted/'ada': {why}"]
    assert judged(tiny_class) == []


@pytest.mark.parametrize("is_released_readable", [True, False])
def test_a_notebook_that_intake_rejects_goes_to_the_judge_which_says_why(
    tiny_class: TinyClass, is_released_readable: bool
) -> None:
    solved = tiny_class.hand_in("ada")
    solved.rename(solved.with_name("other.ipynb"))
    solved.symlink_to("other.ipynb")
    if not is_released_readable:
        (tiny_class.classroom.root / "labs" / LAB / f"{LAB}.ipynb").write_text("no notebook")

    assert judged(tiny_class) == ["ada"]


@pytest.mark.parametrize("has_metadata", [True, False])
def test_a_starter_with_notes_only_next_to_other_work_is_not_judged(tiny_class: TinyClass, has_metadata: bool) -> None:
    solved = tiny_class.hand_in("ada")
    solved.rename(solved.with_name("final.ipynb"))
    starter = copy.deepcopy(tiny_class.released)
    starter.cells[0].source += "\n\nI predict 3."
    if not has_metadata:
        for cell in starter.cells:
            cell.metadata = {}
    tiny_class.hand_in_notebook("ada", starter)

    assert judged(tiny_class) == []
    assert f"if '{LAB}/final.ipynb' counts, put it there" in tiny_class.classroom.handed_in(LAB)[1][0]


def test_an_untouched_starter_next_to_an_archive_is_not_judged(tiny_class: TinyClass) -> None:
    tiny_class.hand_in_notebook("ada", tiny_class.released)

    assert f"if '{LAB}/work.zip' counts, put it there" in put(tiny_class, f"ada/{LAB}/work.zip")[0]


def test_an_untouched_starter_alone_is_judged(tiny_class: TinyClass) -> None:
    starter = tiny_class.hand_in_notebook("ada", tiny_class.released)
    shutil.copy(starter, starter.with_name(f"{LAB} (1).ipynb"))

    assert tiny_class.classroom.handed_in(LAB)[1] == []
    assert judged(tiny_class) == ["ada"]


@pytest.mark.parametrize("copy", [f"{LAB} (1).ipynb", f"Copy of {LAB}.ipynb", "final.ipynb"])
def test_a_copy_with_other_work_next_to_the_judged_notebook_is_named(tiny_class: TinyClass, copy: str) -> None:
    other = tiny_class.hand_in("ada", double="def double(n):\n    return 7")
    other.rename(other.with_name(copy))
    tiny_class.hand_in("ada")

    (problem,) = put(tiny_class, f"ada/{LAB}/scratch.ipynb")

    assert f"'{LAB}/{copy}' next to {TARGET}, which is judged" in problem
    assert judged(tiny_class) == ["ada"]


@pytest.mark.parametrize("is_released", [True, False], ids=["the starter", "the same work"])
def test_a_copy_without_other_work_is_not_named(tiny_class: TinyClass, is_released: bool) -> None:
    copy = tiny_class.hand_in_notebook("ada", tiny_class.released) if is_released else tiny_class.hand_in("ada")
    copy.rename(copy.with_name(f"{LAB} (1).ipynb"))
    tiny_class.hand_in("ada")

    assert tiny_class.classroom.handed_in(LAB) == ([tiny_class.classroom.handed_in_by("ada", LAB)], [])


@pytest.mark.parametrize(
    ("files", "entry", "sentence"),
    [
        (
            [f"assignment_12345/{CANVAS}"],
            "assignment_12345",
            f"a folder of a course site, not a student's, with '{CANVAS}'",
        ),
        ([f"Lab 1/{CANVAS}", f"Lab 1/roe_1_2_{LAB}.ipynb"], "Lab 1", f"with '{CANVAS}' and 'roe_1_2_{LAB}.ipynb'"),
        ([f"{MOODLE}/{LAB}.ipynb"], MOODLE, f"a folder of a course site, not a student's, with '{LAB}.ipynb'"),
        ([f"class/{MOODLE}/x.ipynb"], "class", f"'{MOODLE}/x.ipynb' is not in the folder of a lab"),
        ([f"{MOODLE}/work.zip"], MOODLE, "with 'work.zip'"),
        ([f"{MOODLE}/onlinetext.html"], MOODLE, "without a notebook"),
        (["submissions.zip"], "submissions.zip", "an archive; `./lab collect` takes that of a course site; move"),
        (["class.tar.gz"], "class.tar.gz", "an archive; `./lab collect` takes that of a course site; move"),
        ([CANVAS], CANVAS, f"not in a student's folder; if it is for {LAB}, move it to submitted/STUDENT/{TARGET}"),
        (
            [f"2026/ada/{TARGET}", f"2026/ben/{TARGET}"],
            "2026",
            "holds the folders of 'ada' and 'ben'; move them to submitted/",
        ),
        ([f"drive-download-1/{LAB}.ipynb"], "drive-download-1", "a folder of a course site, not a student's, with"),
        (["all/ada - x.ipynb", "all/ben.ipynb"], "all", "'ada - x.ipynb' and 'ben.ipynb' are not in the folder of"),
        (["Lab 1/Doe, J/x.ipynb", "Lab 1/Roe, R/y.ipynb"], "Lab 1", f"move each to submitted/STUDENT/{TARGET}"),
        ([f"{MOODLE}/{TARGET}"], MOODLE, "named like a folder of a course site; if this is not the student's id"),
        (["ada/work.zip"], "ada", f"'work.zip' is an archive; unpack it, and move its notebook for {LAB} to"),
    ],
)
def test_what_a_course_site_exports_is_named_with_what_to_do(
    tiny_class: TinyClass, files: list[str], entry: str, sentence: str
) -> None:
    (problem,) = put(tiny_class, *files)

    assert problem.startswith(f"submitted/{entry!r}: ")
    assert sentence in problem


def test_files_that_are_no_work_are_not_named(tiny_class: TinyClass) -> None:
    tiny_class.hand_in("ada")

    assert put(tiny_class, f"__MACOSX/ada/{LAB}/._x", f"__MACOSX/ben/{LAB}/._x") == []
    assert put(tiny_class, "students.csv", ".DS_Store", "README", f"ada/{LAB}/data.zip", "ben/report.pdf") == []


def test_a_link_in_submitted_is_not_followed(tiny_class: TinyClass, tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_text("")
    put(tiny_class)
    tiny_class.classroom.submitted.mkdir(parents=True)
    (tiny_class.classroom.submitted / "x.zip").symlink_to(tmp_path / "x.zip")

    assert tiny_class.classroom.handed_in(LAB) == ([], [])
