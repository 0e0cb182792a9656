"""The student's README holds the sections for students, and refers only to files that they have."""

import re
import zipfile
from pathlib import Path

import pytest

from autograder.cli.main import FOR_WHOM
from autograder.course import Course
from autograder.pack.contents import NotPackable
from autograder.pack.student_readme import SECTIONS, student_readme

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def page(course: Course, archive: Path) -> str:
    with zipfile.ZipFile(archive) as content:
        return content.read(f"streamlab-{course.release}/README.md").decode()


@pytest.fixture
def names(archive: Path) -> list[str]:
    with zipfile.ZipFile(archive) as content:
        return [name.partition("/")[2] for name in content.namelist()]


def test_its_sections_are_those_for_students(page: str) -> None:
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == ["A first result, in two commands", *SECTIONS]


def test_every_verb_in_it_is_in_the_students_kit(page: str) -> None:
    verbs = set(re.findall(r"\./lab ([a-z]+)", page))

    assert verbs >= {"demo", "start", "check", "hint"}
    assert verbs - {*FOR_WHOM["Everyone"], *FOR_WHOM["Learners"], "judge"} == set()


def test_every_link_and_folder_in_it_exists_in_the_kit(page: str, names: list[str]) -> None:
    links = [each for each in re.findall(r"\]\(([^)]+)\)", page) if not each.startswith(("#", "http"))]
    folders = [
        each for row in re.findall(r"^\| (`[^|]*`) \|", page, re.MULTILINE) for each in re.findall("`(.+?)`", row)
    ]

    assert links
    assert "labs/" in folders
    assert [link for link in links if link not in names] == []
    assert [each for each in folders if each != "work/" and not any(name.startswith(each) for name in names)] == []


def test_rows_of_missing_folders_are_removed(page: str) -> None:
    assert "`solutions/`" in (ROOT / "README.md").read_text()
    assert "`solutions/`" not in page


def test_a_readme_without_a_section_for_students_is_rejected(course: Course) -> None:
    readme = (ROOT / "README.md").read_text().replace("## For students", "## Students")

    with pytest.raises(NotPackable, match='no section "For students"'):
        student_readme(readme, course, ["lab"])
