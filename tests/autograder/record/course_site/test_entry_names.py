"""The names that Canvas and Moodle write say whose file it is, which upload, and under which name it is returned."""

from datetime import datetime
from zipfile import ZipInfo

import pytest

from autograder.record.course_site.archive import Entry
from autograder.record.course_site.entry_names import BadName, of_canvas, of_moodle

OWN = "assignsubmission_file"


def entry(name: str) -> Entry:
    return Entry(name, 2, datetime(2026, 10, 5), ZipInfo(name))


@pytest.mark.parametrize(
    ("name", "number", "upload", "file", "is_late"),
    [
        ("doejane_123_456_lab.ipynb", 123, 456, "lab.ipynb", False),
        ("doejane_LATE_123_456_lab-2.ipynb", 123, 456, "lab-2.ipynb", True),
        ("doejane_123_456_my_lab_7_8.ipynb", 123, 456, "my_lab_7_8.ipynb", False),  # numbers of the student's own
        ("doe_jane_123_456_lab.ipynb", 123, 456, "lab.ipynb", False),
        ("東京太郎_123_456_lab.ipynb", 123, 456, "lab.ipynb", False),
        ("submissions/doejane_123_456_lab.ipynb", 123, 456, "lab.ipynb", False),  # zipped again with its folder
        ("group3_123_456_lab.ipynb", 123, 456, "lab.ipynb", False),  # a group, with a member's number
    ],
)
def test_canvas_names_user_and_attachment(name: str, number: int, upload: int, file: str, is_late: bool) -> None:
    found = of_canvas(entry(name))

    assert (found.number, found.upload, found.name, found.is_late) == (number, upload, file, is_late)
    assert found.returned_as + found.name == name.removeprefix("submissions/")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("doejane_123_text.html", "a text that was typed into Canvas"),
        ("doejane_LATE_123_link.html", "a link that was typed into Canvas"),
        ("anon_x7Bq_456_lab.ipynb", "Canvas hides the names"),
        ("lab.ipynb", "not named as Canvas names files"),
        ("doejane_lab_2.ipynb", "not named as Canvas names files"),
    ],
)
def test_a_name_without_user_and_attachment_says_why(name: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        of_canvas(entry(name))


@pytest.mark.parametrize(
    ("name", "owner", "upload", "file", "returned_as"),
    [
        (f"Jane Doe_815_{OWN}_/lab.ipynb", "Jane Doe", 0, "lab.ipynb", f"Jane Doe_815_{OWN}_/"),
        (f"Jane Doe_815_{OWN}/lab.ipynb", "Jane Doe", 0, "lab.ipynb", f"Jane Doe_815_{OWN}/"),  # from Moodle 4.1 on
        (f"Jane Doe_815_{OWN}_lab_1_2.ipynb", "Jane Doe", 0, "lab_1_2.ipynb", f"Jane Doe_815_{OWN}_"),
        (f"Jane Doe_815_{OWN}_/a/b/lab (3).ipynb", "Jane Doe", 3, "lab (3).ipynb", f"Jane Doe_815_{OWN}_/"),
        (f"all/Jane Doe_815_{OWN}/lab-2.ipynb", "Jane Doe", 2, "lab-2.ipynb", f"Jane Doe_815_{OWN}/"),
        (f"Team A-Jane Doe_815_{OWN}_/lab.ipynb", "Team A-Jane Doe", 0, "lab.ipynb", f"Team A-Jane Doe_815_{OWN}_/"),
    ],
)
def test_moodle_names_the_participant(name: str, owner: str, upload: int, file: str, returned_as: str) -> None:
    found = of_moodle(entry(name))

    assert (found.owner, found.number, found.upload, found.name) == (owner, 815, upload, file)
    assert found.returned_as == returned_as


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Jane Doe_815_assignsubmission_onlinetext_/onlinetext.html", "text that was typed into Moodle"),
        ("Jane Doe_815_assignsubmission_onlinetext_onlinetext.html", "text that was typed into Moodle"),
        ("Jane Doe_815_assignsubmission_comments_/x", "not a file"),
        (f"Default group_{OWN}/lab.ipynb", "without a group"),
        (f"Jane Doe_815_{OWN}_", "without the name of a file"),
        ("Jane Doe/lab.ipynb", "not named as Moodle names files"),
    ],
)
def test_a_name_without_a_participant_says_why(name: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        of_moodle(entry(name))
