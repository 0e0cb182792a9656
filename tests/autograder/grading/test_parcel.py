"""A parcel for a worker holds the notebooks of one submission, and the worker must have the same kit."""

from pathlib import Path

import pytest

from autograder.course import Course, load_course
from autograder.grading.parcel import Kit, kit_of, packed, unpacked
from autograder.judge.rests_on import digest_of_judging
from tests.autograder.tiny_class import LAB, TinyClass

LATER = """  lab98_later:
    title: Later
    minutes: 1
    points: 1
    builds_on: [lab99_tiny]
    tasks: {later: {checks: {later_is_right: 1}}}
  lab97_last:
    title: Last
    minutes: 1
    points: 1
    builds_on: [lab98_later]
    tasks: {last: {checks: {last_is_right: 1}}}
"""
KIT = Kit("1", "lab97_last", "digest")


@pytest.fixture
def three_labs(tiny_class: TinyClass) -> Course:
    """A course in which the last lab builds on the second lab, and the second on the tiny one."""
    root = tiny_class.classroom.root
    (root / "course.yml").write_text((root / "course.yml").read_text() + LATER)
    return load_course(root)


def test_the_labs_that_a_lab_builds_on_are_followed_to_the_first(three_labs: Course) -> None:
    assert three_labs.with_earlier("lab97_last") == [LAB, "lab98_later", "lab97_last"]
    assert three_labs.with_earlier(LAB) == [LAB]


def test_an_unpacked_parcel_has_the_layout_of_the_submission(
    tiny_class: TinyClass, three_labs: Course, tmp_path: Path
) -> None:
    earlier = tiny_class.hand_in("ada")
    path = earlier.parent.parent / "lab97_last" / "lab97_last.ipynb"
    path.parent.mkdir()
    path.write_text("its own")
    (path.parent / "other.txt").write_text("not looked at")

    parcel = packed(path, KIT, three_labs, tiny_class.classroom.root, "bubblewrap", "seed")
    there = tmp_path / "there"
    there.mkdir()
    notebook = unpacked(parcel, there)

    assert notebook == there / "lab97_last" / "lab97_last.ipynb"
    assert notebook.read_text() == "its own"
    assert (there / LAB / f"{LAB}.ipynb").read_bytes() == earlier.read_bytes()
    assert len([*there.rglob("*.*")]) == 2
    assert parcel.rejected_earlier == {}


def test_a_parcel_holds_the_reason_instead_of_a_rejected_earlier_notebook(
    tiny_class: TinyClass, three_labs: Course, tmp_path: Path
) -> None:
    earlier = tiny_class.hand_in("ada")
    secret = tmp_path / "secret"
    secret.write_text("of somebody else")
    earlier.unlink()
    earlier.symlink_to(secret)
    path = earlier.parent.parent / "lab97_last" / "lab97_last.ipynb"
    path.parent.mkdir()
    path.write_text("its own")

    parcel = packed(path, KIT, three_labs, tiny_class.classroom.root, "bubblewrap", "seed")

    assert parcel.notebooks[LAB] == b""
    assert "a symbolic link" in parcel.rejected_earlier[LAB][0]


@pytest.mark.parametrize(
    "changed",
    [
        f"autograder/stages/{LAB}/numbers/checks.py",
        f"autograder/stages/{LAB}/numbers/drive.py",
        f"labs/{LAB}/{LAB}.ipynb",  # locked cells are put back from here
        f"solutions/{LAB}/{LAB}.py",  # the fallback for tasks that later labs build on
        "requirements.lock",
    ],
)
def test_a_change_of_any_file_that_results_rest_on_makes_another_kit(tiny_class: TinyClass, changed: str) -> None:
    root = tiny_class.classroom.root
    uncached = kit_of.__wrapped__
    before = uncached(root, LAB)

    with (root / changed).open("a") as file:
        file.write("\n# changed")

    digest_of_judging.cache_clear()
    assert uncached(root, LAB) != before
