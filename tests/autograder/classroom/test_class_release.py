"""A class is graded by the release with which it began, until its instructor adopts another."""

import dataclasses

import pytest

from autograder.classroom.class_release import FILE, FIRST_RELEASE, OtherRelease, adopt, release_of, require_release
from autograder.classroom.folder import Classroom
from tests.autograder.tiny_class import LAB, TinyClass


def of_release(classroom: Classroom, release: str) -> Classroom:
    """Return the same class, seen by a kit of another release."""
    return dataclasses.replace(classroom, course=classroom.course.model_copy(update={"release": release}))


def test_a_new_class_begins_with_the_kits_release_and_keeps_it(tiny_class: TinyClass) -> None:
    classroom = tiny_class.classroom

    assert [release_of(classroom), release_of(of_release(classroom, "2"))] == ["1", "1"]
    assert (classroom.folder / FILE).read_text() == "1\n"


@pytest.mark.parametrize("name", ["gradebook.db", "results"])
def test_a_class_that_was_graded_without_a_recorded_release_is_of_2026_1(tiny_class: TinyClass, name: str) -> None:
    (tiny_class.classroom.folder / name).mkdir(parents=True)

    assert release_of(tiny_class.classroom) == FIRST_RELEASE == "2026.1"
    assert not (tiny_class.classroom.folder / FILE).exists()


def test_a_class_with_submissions_only_has_not_begun(tiny_class: TinyClass) -> None:
    tiny_class.hand_in("ada")

    assert release_of(tiny_class.classroom) == "1"


def test_a_class_of_another_release_is_rejected_until_the_release_is_adopted(tiny_class: TinyClass) -> None:
    release_of(tiny_class.classroom)
    newer = of_release(tiny_class.classroom, "2")

    with pytest.raises(OtherRelease) as found:
        require_release(newer, LAB)
    adopt(newer)
    require_release(newer, LAB)

    assert str(found.value) == (
        "this class began with release 1, and this kit is of 2; finish the class with `git checkout 1`, or adopt 2 for "
        "it with `./lab grade lab99_tiny --adopt-release`"
    )
