"""A lab whose solution and course.yml disagree does not stop the other labs, and is not released."""

import pytest

from autograder.record.gradebook import NotRecorded
from autograder.record.sources import refresh_sources, source_notebook
from tests.autograder.tiny_class import LAB


def without_triple(classroom) -> None:
    path = classroom.root / "course.yml"
    lines = [line for line in path.read_text().splitlines() if "triple:" not in line]
    path.write_text("\n".join(lines).replace("points: 7", "points: 5"))


def test_a_lab_that_breaks_a_rule_keeps_its_source_notebook_with_a_warning(
    tiny_class, caplog: pytest.LogCaptureFixture
) -> None:
    classroom = tiny_class.classroom
    refresh_sources(classroom)
    before = source_notebook(classroom, LAB).read_bytes()
    without_triple(classroom)

    refresh_sources(type(classroom).of_this_kit())

    assert source_notebook(classroom, LAB).read_bytes() == before
    (warning,) = caplog.messages
    assert "unknown task triple; course.yml has double (and 1 more); `./lab build` lists what to fix" in warning


def test_a_lab_that_breaks_a_rule_is_not_released(tiny_class, recorder) -> None:
    without_triple(tiny_class.classroom)
    recorder.classroom = type(tiny_class.classroom).of_this_kit()

    with pytest.raises(NotRecorded, match="unknown task triple; course"):
        recorder.release(LAB)
