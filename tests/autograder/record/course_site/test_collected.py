"""What was collected is remembered between archives; a damaged file is one sentence."""

import pytest

from autograder.course import CourseError
from autograder.record.course_site import collected as records
from autograder.record.course_site.collected import Collected
from tests.autograder.tiny_class import LAB, TinyClass

ONE = Collected("canvas", "entry", 1, "2026-10-05T12:00:00+00:00", False, "digest", True, None)


def test_what_is_kept_is_loaded(tiny_class: TinyClass) -> None:
    assert records.load(tiny_class.classroom, LAB) == {}
    records.keep(tiny_class.classroom, LAB, {"zoë": ONE})
    assert records.load(tiny_class.classroom, LAB) == {"zoë": ONE}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"ada": {"site": "canvas"}}', '{"ada": 1}'])
def test_a_damaged_file_is_one_sentence_with_the_next_step(tiny_class: TinyClass, text: str) -> None:
    path = tiny_class.classroom.folder / "collected" / f"{LAB}.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)

    with pytest.raises(CourseError, match=r"is damaged; restore it from a backup, or remove it and collect"):
        records.load(tiny_class.classroom, LAB)
