"""Canvas's number decides whose file it is; with Moodle's, which counts in one assignment only, the name must agree."""

from datetime import datetime
from zipfile import ZipInfo

import pytest

from autograder.record.course_site.archive import Entry
from autograder.record.course_site.entry_names import SiteFile
from autograder.record.course_site.roster import Roster, Student, UnknownStudent

ROSTER = Roster(
    [
        Student("ada", "Ada", "Lovelace", "11"),
        Student("ben", "Ben", "O'Neill", "12"),
        Student("kim1", "Kim", "Lee", "21"),
        Student("kim2", "Kim", "Lee", "22"),
        Student("ana", "Ana María", "Müller-Lüdenscheidt", "31"),
        Student("nameless", lms_id="41"),
        Student("same1", "Sam", "One", "51"),
        Student("same2", "Sam", "Two", "51"),
        Student("none", "Nora", "None", "sis-7"),
    ]
)


def file(owner: str, number: int) -> SiteFile:
    entry = Entry("x", 2, datetime(2026, 10, 5), ZipInfo("x"))
    return SiteFile(entry, owner, number, "lab.ipynb", 0, "x")


@pytest.mark.parametrize(
    ("site", "owner", "number", "student"),
    [
        ("canvas", "whoever", 11, "ada"),
        ("moodle", "Ada Lovelace", 900, "ada"),
        ("moodle", "Lovelace Ada", 900, "ada"),  # sites that show the last name first
        ("moodle", "Ben ONeill", 900, "ben"),  # Moodle removes the apostrophe
        ("moodle", "Team A-Ben ONeill", 900, "ben"),
        ("moodle", "Ana Maria Muller-Ludenscheidt", 900, "ana"),
        ("moodle", "Kim Lee", 22, "kim2"),
        ("moodle", "Ada King Lovelace", 11, "ada"),  # another spelling, with the number of the class list
        ("moodle", "Any Body", 41, "nameless"),
    ],
)
def test_the_owner_is_found(site: str, owner: str, number: int, student: str) -> None:
    assert ROSTER.owner_on(site, file(owner, number)) == student


@pytest.mark.parametrize(
    ("site", "owner", "number", "why"),
    [
        ("canvas", "lovelaceada", 99, "no student with lms_user_id 99 in the class list"),
        ("canvas", "one", 51, "same1 and same2 have the same lms_user_id, 51"),
        ("moodle", "Kim Lee", 900, "kim1 and kim2 are all called 'Kim Lee'; lms_user_id 900 would tell them apart"),
        ("moodle", "Team B", 11, "no student called 'Team B'"),  # a group's number is no participant's
    ],
)
def test_an_unclear_owner_is_nobody(site: str, owner: str, number: int, why: str) -> None:
    with pytest.raises(UnknownStudent, match=why):
        ROSTER.owner_on(site, file(owner, number))
