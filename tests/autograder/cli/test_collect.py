"""`./lab collect` and the feedback archives of `./lab export`, as an instructor uses them."""

import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import grade as verbs
from autograder.cli.collect import collect
from autograder.cli.context import UserError
from autograder.cli.export import export
from tests.autograder.cli.conftest import called
from tests.autograder.record.course_site.site_archives import (
    canvas_archive,
    import_class_list,
    moodle_archive,
    starter,
    zipped,
)
from tests.autograder.tiny_class import LAB, TinyClass


@pytest.fixture
def classes(classes: TinyClass) -> TinyClass:
    """The tiny class with its class list."""
    import_class_list(classes)
    return classes


def test_a_table_shows_what_was_taken_for_whom_and_what_was_not(classes: TinyClass, tmp_path: Path) -> None:
    path = canvas_archive(classes, tmp_path / "canvas.zip")

    lines = called(collect, str(path), LAB, "--from", "canvas").stdout.splitlines()

    assert lines[1].split()[:3] == ["s2", "new", f"oneillben_LATE_4712_9002_{LAB}-2.ipynb"]
    assert lines[1].endswith("late; renamed")
    assert "not taken: adamseve_4715_9006_screenshot.png: not a notebook" in lines
    assert "no notebook of 3 students: s5, s8, s9" in lines
    assert lines[-2:] == ["collected: 6 new; not taken: 11", f"next: `./lab grade {LAB}`"]


def test_a_dry_run_says_that_nothing_was_written(classes: TinyClass, tmp_path: Path) -> None:
    path = moodle_archive(classes, tmp_path / "moodle.zip")

    lines = called(collect, str(path), LAB, "--from", "moodle", "--dry-run").stdout.splitlines()

    assert lines[-2:] == [
        "would collect: 7 new; not taken: 10",
        "nothing was written; without --dry-run, this is collected",
    ]
    assert not classes.classroom.submitted.exists()


def test_names_of_an_archive_cannot_control_the_terminal(classes: TinyClass, tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", [("\x1b[31m.ipynb", starter(classes))])

    output = called(collect, str(path), LAB, "--from", "canvas").stdout

    assert "not taken: \\x1b[31m.ipynb: not named as Canvas names files" in output


def test_a_missing_file_a_missing_class_list_and_another_file_are_one_line_each(
    classes: TinyClass, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"no file .*a\.zip; download all submissions from Canvas"):
        called(collect, str(tmp_path / "a.zip"), LAB, "--from", "canvas")
    (tmp_path / "a.zip").write_text("x")
    with pytest.raises(UserError, match=r"a\.zip: expected a zip archive"):
        called(collect, str(tmp_path / "a.zip"), LAB, "--from", "canvas")
    classes.classroom.gradebook.unlink()
    with pytest.raises(UserError, match=r"no class list yet; import it with `nbgrader db student import"):
        called(collect, str(tmp_path / "a.zip"), LAB, "--from", "canvas")


def test_a_class_that_is_being_graded_is_not_collected_into(classes: TinyClass, tmp_path: Path) -> None:
    path = canvas_archive(classes, tmp_path / "canvas.zip")

    with classes.classroom.locked(), pytest.raises(UserError, match="is being graded by process"):
        called(collect, str(path), LAB, "--from", "canvas")


@pytest.mark.parametrize(
    ("site", "archive", "returned_as"),
    [
        ("canvas", canvas_archive, f"lovelaceada_4711_9010_{LAB}-1.ipynb"),
        ("moodle", moodle_archive, f"Ada Lovelace_4711_assignsubmission_file_/{LAB}.html"),
    ],
)
def test_a_class_goes_from_an_archive_to_feedback_archive_and_csv(
    classes: TinyClass, tmp_path: Path, site: str, archive: object, returned_as: str
) -> None:
    path = archive(classes, tmp_path / "all.zip")  # type: ignore[operator]
    called(collect, str(path), LAB, "--from", site)
    called(verbs.grade, LAB, "--no-throughput")

    output = called(export, LAB, "--format", f"{site}-feedback", "--format", site).stdout

    feedback = classes.classroom.folder / "exports" / f"{LAB}-{site}-feedback.zip"
    count = {"canvas": 6, "moodle": 7}[site]
    assert output.splitlines()[0] == f"feedback of {count} students, for {site.title()}: {feedback}"
    with zipfile.ZipFile(feedback) as pages:
        assert len(pages.namelist()) == count
        assert f"{LAB}: 2 of 7 points" in pages.read(returned_as).decode()
    assert (classes.classroom.folder / "exports" / f"{LAB}-{site}.csv").is_file()


def test_feedback_for_a_site_from_which_nothing_was_collected_is_rejected(classes: TinyClass) -> None:
    classes.hand_in("s1")
    called(verbs.grade, LAB, "--no-throughput")

    result = CliRunner().invoke(export, [LAB, "--format", "canvas-feedback"])

    assert result.stdout == "not in the archive: s1: not collected from Canvas; return the page by hand\n"
    assert "no feedback to return to Canvas; `./lab collect --from canvas` and grade come first" in str(
        result.exception
    )
    assert list((classes.classroom.folder / "exports").glob("*.zip")) == []


def test_one_file_cannot_hold_two_formats(classes: TinyClass, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--to names one file; leave it out to write 2 formats"):
        called(export, LAB, "--format", "plain", "--format", "canvas", "--to", str(tmp_path / "marks.csv"))
