"""The class's folder: ids, seeds, what counts as handed in."""

import os
import stat
from pathlib import Path

import pytest

from autograder.classroom.folder import BadStudent, student_id


@pytest.mark.parametrize("name", ["ada", "żółć", "O'Brien, Pat", "=cmd|' !A0", "a+b@x.org", "-rf", "x" * 100])
def test_an_id_may_have_letters_of_every_language_commas_and_formulas(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()

    assert student_id(tmp_path / name) == name


@pytest.mark.parametrize(
    "name",
    ["<b>", "a*", "a?", "[ab]", "{x}", 'a"b', "a\nb", "\x1b[31m", "a\u202eb", ".hidden", " a", "a ", "x" * 101],
    ids=repr,
)
def test_an_id_that_would_steer_nbgrader_or_a_page_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()

    with pytest.raises(BadStudent, match="rename the folder"):
        student_id(tmp_path / name)


def test_a_folder_name_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/a\xff"
    os.mkdir(folder)

    with pytest.raises(BadStudent, match="UTF-8"):
        student_id(Path(os.fsdecode(folder)))


def test_a_students_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
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


def test_seeds_differ_between_students_and_labs_and_stay_the_same(tiny_class) -> None:
    classroom = tiny_class.classroom

    seeds = [classroom.seed_of(lab, name) for lab in ("lab1", "lab2") for name in ("ada", "ben")]

    assert len(set(seeds)) == 4
    assert seeds[0] == classroom.seed_of("lab1", "ada")


def test_the_secret_is_for_its_owner_alone(tiny_class) -> None:
    tiny_class.classroom.secret()

    mode = stat.S_IMODE((tiny_class.classroom.folder / "secret").stat().st_mode)

    assert mode == 0o600
