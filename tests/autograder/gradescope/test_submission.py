"""The student of a submission is the one whose cases are drawn, and its files are found whatever their names."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course, load_course
from autograder.gradescope.submission import side_by_side, student_of

ROOT = Path(__file__).resolve().parents[3]
LAB = "lab01_wordcount"
RELEASED = ROOT / "labs" / LAB / f"{LAB}.ipynb"


@pytest.fixture(scope="module")
def course() -> Course:
    """The course of this kit."""
    return load_course(ROOT)


@pytest.mark.parametrize(
    ("users", "student"),
    [
        ([{"id": 7, "name": "A", "email": "a@x.org", "sid": "s17"}], "s17"),
        ([{"id": 7, "name": "A", "email": "a@x.org"}], "a@x.org"),
        ([{"email": "a@x.org", "sid": None}], "a@x.org"),
        ([{"email": "b@x.org", "sid": "s20"}, {"email": "z@x.org", "sid": "s17"}], "s17"),
        ([{"email": "b@x.org", "sid": 20}], "20"),
    ],
)
def test_the_student_is_the_smallest_id_of_the_group(users: list[dict[str, Any]], student: str) -> None:
    assert student_of({"users": users}) == student
    assert student_of({"users": users[::-1]}) == student


@pytest.mark.parametrize("metadata", [{}, {"users": []}, {"users": [{"id": 7, "name": "A"}]}])
def test_a_submission_of_nobody_is_rejected(metadata: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected a user with an sid or an email"):
        student_of(metadata)


def test_a_renamed_notebook_in_a_folder_is_found_by_its_lab(tmp_path: Path, course: Course) -> None:
    folder = tmp_path / "submission" / "my work"
    folder.mkdir(parents=True)
    shutil.copy(RELEASED, folder / "final (2).ipynb")

    copies = side_by_side(tmp_path / "submission", course, ROOT, _new(tmp_path))

    assert copies == {LAB: tmp_path / "judged" / LAB / f"{LAB}.ipynb"}
    assert copies[LAB].read_bytes() == RELEASED.read_bytes()


def test_of_two_notebooks_of_a_lab_the_one_with_its_name_counts(tmp_path: Path, course: Course) -> None:
    notebook = json.loads(RELEASED.read_text())
    notebook["cells"][0]["source"] = "# Mine"
    (tmp_path / f"{LAB}.ipynb").write_text(json.dumps(notebook))
    shutil.copy(RELEASED, tmp_path / "a copy.ipynb")

    copies = side_by_side(tmp_path, course, ROOT, _new(tmp_path))

    assert "# Mine" in copies[LAB].read_text()


def test_a_link_stays_a_link_and_hidden_files_do_not_count(tmp_path: Path, course: Course) -> None:
    folder = tmp_path / "submission"
    (folder / ".ipynb_checkpoints").mkdir(parents=True)
    shutil.copy(RELEASED, folder / ".ipynb_checkpoints" / "lab02_windows.ipynb")
    (folder / f"{LAB}.ipynb").symlink_to("/etc/shadow")

    copies = side_by_side(folder, course, ROOT, _new(tmp_path))

    assert list(copies) == [LAB]
    assert os.readlink(copies[LAB]) == "/etc/shadow"


def _new(folder: Path) -> Path:
    (folder / "judged").mkdir()
    return folder / "judged"
