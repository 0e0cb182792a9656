"""`./lab grade`, `./lab export` and `./lab mark`: their output for an instructor, and one line for each error."""

import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import click
import pytest
from click.testing import CliRunner

from autograder.classroom.class_release import FILE
from autograder.cli import grade as verbs
from autograder.cli import mark
from autograder.cli.context import UserError
from autograder.cli.export import export
from autograder.grading.class_grading import Graded
from autograder.judge.driver import Driver
from autograder.judge.outcomes import Driven, Outcome
from autograder.record.gradebook import NotRecorded, Recorder
from autograder.record.gradebook_file import UnusableGradebook
from tests.autograder.cli.conftest import called
from tests.autograder.record.recording import grade_manually
from tests.autograder.tiny_class import LAB, TinyClass

HALF = "def triple(n):\n    return n"


def test_grading_a_class_shows_its_points_and_the_next_step(classes: TinyClass) -> None:
    classes.hand_in("ada", why="Because.")
    classes.hand_in("ben", triple=HALF)

    output = called(verbs.grade, LAB, "--no-throughput").stdout

    rows = [line.split() for line in output.splitlines()]
    assert ["ada", "4", "of", "7", "needs", "manual", "grading"] in rows
    assert ["ben", "2", "of", "7"] in rows
    assert "next: 1 student" in output
    folder = classes.classroom.folder
    assert (folder / f"class-{LAB}.html").is_file()
    assert (folder / "exports" / f"{LAB}.csv").is_file()
    assert (folder / "feedback" / "ada" / LAB / f"{LAB}.html").is_file()


def test_without_submissions_the_error_says_where_to_put_them(classes: TinyClass) -> None:
    with pytest.raises(UserError, match=f"nothing was handed in; put notebooks into .*/STUDENT/{LAB}/{LAB}.ipynb"):
        called(verbs.grade, LAB)


def test_an_invalid_student_folder_is_reported_and_the_others_are_graded(classes: TinyClass) -> None:
    classes.hand_in("ada")
    (classes.classroom.submitted / "a*b" / LAB).mkdir(parents=True)

    output = called(verbs.grade, LAB, "--no-throughput").stdout

    assert "not graded: submitted/'a*b'" in output
    assert "ada" in output


@pytest.mark.parametrize("options", [[], ["--again", "--yes"]], ids=["first", "again"])
def test_a_class_without_any_result_fails_after_the_reasons_and_writes_no_class_page(
    classes: TinyClass, options: list[str]
) -> None:
    folder = classes.classroom.submitted / "assignment_12345"
    folder.mkdir(parents=True)
    (folder / f"doejane_123_456_{LAB}.ipynb").write_text("{}")

    result = CliRunner().invoke(verbs.grade, [LAB, *options])

    assert result.stdout.startswith("not graded: submitted/'assignment_12345': a folder of a course site")
    assert isinstance(result.exception, UserError)
    assert f"no submission of {LAB} was graded; the judge reads " in str(result.exception)
    assert not (classes.classroom.folder / f"class-{LAB}.html").exists()


@pytest.mark.slow
def test_judging_again_without_yes_shows_the_changes_and_writes_nothing(classes: TinyClass) -> None:
    classes.hand_in("ada")
    called(verbs.grade, LAB, "--no-throughput")

    output = called(verbs.grade, LAB, "--no-throughput", "--again").stdout

    assert "0 gain, 0 lose, 1 keep their points" in output
    assert "nothing was written" in output
    assert "0 gain" in called(verbs.grade, LAB, "--no-throughput", "--again", "--yes").stdout


@pytest.mark.slow
@pytest.mark.parametrize("accepted", [False, True], ids=["declined", "--yes"])
def test_judging_again_shows_each_rejected_folder_once(classes: TinyClass, accepted: bool) -> None:
    classes.hand_in("ada")
    (classes.classroom.submitted / "a*b" / LAB).mkdir(parents=True)

    output = called(verbs.grade, LAB, "--no-throughput", "--again", *["--yes"] * accepted).stdout

    assert output.count("not graded: submitted/'a*b'") == 1
    assert ("nothing was written" in output) is not accepted


def test_problems_are_shown_before_the_question_whether_to_write(
    classes: TinyClass, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    graded = Graded(judged=["ada"], problems=["ben: the judge itself failed"])
    monkeypatch.setattr(verbs.regrading, "regrade_class", lambda *arguments: graded)
    monkeypatch.setattr(sys, "stdin", Mock(isatty=lambda: True))
    monkeypatch.setattr(click, "confirm", lambda question: shown.append(capsys.readouterr().out))

    assert verbs._regrade(classes.classroom, LAB, classes.request(), yes=False) is None

    assert "not graded: ben: the judge itself failed" in shown[0]


def test_a_lab_that_nbgrader_cannot_release_is_one_line_after_the_problems(
    classes: TinyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(recorder: Recorder, lab: str) -> None:
        raise NotRecorded("database is locked")

    classes.hand_in("ada")
    (classes.classroom.submitted / "a*b" / LAB).mkdir(parents=True)
    monkeypatch.setattr(Recorder, "release", fails)

    result = CliRunner().invoke(verbs.grade, [LAB, "--no-throughput"])

    assert isinstance(result.exception, UserError)
    assert "could not release the lab: database is locked" in str(result.exception)
    assert f"`./lab grade {LAB}`" in str(result.exception)
    assert "not graded: submitted/'a*b'" in result.stdout


@pytest.mark.parametrize("verb", [verbs.grade, export, mark.mark], ids=["grade", "export", "mark"])
def test_a_damaged_gradebook_is_one_line_before_anything_is_judged(classes: TinyClass, verb: click.Command) -> None:
    classes.hand_in("ada")
    classes.classroom.gradebook.write_bytes(b"x" * 9_000)

    with pytest.raises(
        UserError, match=r"gradebook.db is damaged \(file is not a database\); restore it from a backup"
    ):
        called(verb, LAB)

    assert not classes.classroom.results_of(LAB, "ada").exists()


def test_a_gradebook_that_is_locked_after_judging_is_one_line_after_the_problems(
    classes: TinyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_locked(recorder: Recorder, lab: str, student: str) -> None:
        raise UnusableGradebook("gradebook.db is locked by process 7")

    classes.hand_in("ada")
    (classes.classroom.submitted / "x.zip").write_text("")
    monkeypatch.setattr(Recorder, "record", is_locked)

    result = CliRunner().invoke(verbs.grade, [LAB, "--no-throughput"])

    assert isinstance(result.exception, UserError)
    assert f"gradebook.db is locked by process 7; the results are kept, and `./lab grade {LAB}`" in str(
        result.exception
    )
    assert result.stdout.startswith("not graded: submitted/'x.zip'")


def test_the_leaderboard_shows_no_student_name(classes: TinyClass) -> None:
    classes.hand_in("adalovelace")

    called(verbs.grade, LAB, "--no-throughput", "--leaderboard")

    assert "adalovelace" not in (classes.classroom.folder / f"leaderboard-{LAB}.html").read_text()


@pytest.mark.parametrize("verb", [export, mark.mark], ids=["export", "mark"])
def test_export_and_mark_before_the_first_grading_name_the_verb_to_run_first(
    classes: TinyClass, verb: click.Command
) -> None:
    (classes.classroom.folder / "gradebook.db").unlink()

    with pytest.raises(UserError, match=f"no gradebook yet; `./lab grade {LAB}` creates it"):
        called(verb, LAB)


def test_the_form_grader_can_judge_so_the_packages_of_its_lab_are_installed_first(
    classes: TinyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensured = list[str]()
    monkeypatch.setattr(mark, "ensure_packages_of", ensured.extend)
    monkeypatch.setattr(mark.os, "chdir", lambda _: None)
    monkeypatch.setattr(mark.os, "execve", lambda *_: pytest.fail("no packages") if not ensured else None)

    called(mark.mark, LAB)

    assert ensured == [LAB]


@pytest.mark.parametrize("name", ["plain", "canvas", "moodle"])
def test_marks_are_exported_in_each_format(classes: TinyClass, name: str, tmp_path: Path) -> None:
    classes.hand_in("ada, =cmd|' \N{LATIN SMALL LETTER E WITH ACUTE}")
    called(verbs.grade, LAB, "--no-throughput")
    path = tmp_path / "marks.csv"

    output = called(export, LAB, "--format", name, "--to", str(path)).stdout

    assert str(path) in output
    assert "=cmd" in path.read_text(encoding="utf-8-sig")


def test_what_one_assistant_exported_another_one_can_replace(classes: TinyClass) -> None:
    classes.classroom.folder.chmod(0o2770)

    called(export, LAB)

    written = classes.classroom.folder / "exports" / f"{LAB}-plain.csv"
    assert written.stat().st_mode & 0o060 == written.parent.stat().st_mode & 0o060 == 0o060


def test_an_export_into_a_missing_folder_is_rejected(classes: TinyClass) -> None:
    with pytest.raises(UserError, match="no folder"):
        called(export, LAB, "--to", "/nowhere/marks.csv")


def change_points(classes: TinyClass) -> None:
    """Give a check of 2 points 3 in course.yml; the lab has 8 then."""
    path = classes.classroom.root / "course.yml"
    path.write_text(
        path.read_text().replace("twice_the_number: 2", "twice_the_number: 3").replace("points: 7", "points: 8")
    )


def rows_of(output: str) -> list[list[str]]:
    return [line.split()[:4] for line in output.splitlines()]


def test_points_that_have_changed_since_count_with_the_earlier_total_until_everyone_is_regraded(
    classes: TinyClass, tmp_path: Path
) -> None:
    classes.hand_in("ada")
    called(verbs.grade, LAB, "--no-throughput")
    change_points(classes)
    classes.hand_in("ben")

    output = called(verbs.grade, LAB, "--no-throughput").stdout
    called(export, LAB, "--format", "canvas", "--to", str(tmp_path / "canvas.csv"))

    why = "have changed since 1 result was judged (double/twice_the_number: 2 → 3)"
    assert output.startswith(f"the points of {LAB} in course.yml {why}; the earlier points and their total count until")
    assert f"`./lab grade {LAB} --again` regrades everyone" in output
    assert ["ada", "4", "of", "7"] in rows_of(output)
    assert "not graded: ben: judged with the changed points" in output
    assert [row.split(",")[-1] for row in (tmp_path / "canvas.csv").read_text().splitlines()] == ["Tiny", "7", "4", ""]
    again = called(verbs.grade, LAB, "--no-throughput", "--again", "--yes").stdout
    assert [row for row in rows_of(again) if "of" in row[2:3]] == [["ada", "5", "of", "8"], ["ben", "5", "of", "8"]]


def test_changed_points_without_a_gradebook_that_has_the_earlier_ones_need_a_regrade(classes: TinyClass) -> None:
    classes.hand_in("ada")
    called(verbs.grade, LAB, "--no-throughput")
    change_points(classes)
    classes.classroom.gradebook.unlink()

    with pytest.raises(UserError, match=rf"have changed since .*; `./lab grade {LAB} --again` regrades everyone"):
        called(verbs.grade, LAB, "--no-throughput")


def test_a_task_that_is_no_longer_in_course_yml_is_one_line_and_the_results_are_recorded(classes: TinyClass) -> None:
    for student in ("ada", "ben"):
        classes.hand_in(student, why="Because.")
    called(verbs.grade, LAB, "--no-throughput")
    path = classes.classroom.root / "course.yml"
    lines = [line for line in path.read_text().splitlines() if "triple:" not in line]
    path.write_text("\n".join(lines).replace("points: 7", "points: 5"))
    grade_manually(Recorder(classes.classroom), "ada", 3)

    output = called(verbs.grade, LAB, "--no-throughput").stdout

    assert output.count("triple/three_times_the_number: 2 → none") == 1
    assert rows_of(output)[1:3] == [["ada", "7", "of", "7"], ["ben", "4", "of", "7"]]
    assert called(export, LAB).exit_code == 0


def newer_kit(classes: TinyClass) -> None:
    """Give the kit the next release."""
    path = classes.classroom.root / "course.yml"
    path.write_text(path.read_text().replace('release: "1"', 'release: "2"'))


def test_a_class_of_an_older_release_is_graded_only_after_the_new_one_is_adopted(
    classes: TinyClass, recorder: Recorder
) -> None:
    classes.hand_in("ada", why="Because.")
    called(verbs.grade, LAB, "--no-throughput")
    grade_manually(recorder, "ada", 3)
    results = classes.classroom.results_of(LAB, "ada").read_bytes()
    newer_kit(classes)

    for options in ([], ["--again", "--yes"]):
        with pytest.raises(UserError, match=r"finish the class with `git checkout 1`, or adopt 2 .*--adopt-release`"):
            called(verbs.grade, LAB, "--no-throughput", *options)
    output = called(verbs.grade, LAB, "--no-throughput", "--adopt-release").stdout

    assert output.startswith("this class is graded by release 2 from now on; its results of release 1 stay\n")
    assert ["ada", "7", "of", "7"] in [line.split() for line in output.splitlines()]
    assert classes.classroom.results_of(LAB, "ada").read_bytes() == results
    assert "from now on" not in called(verbs.grade, LAB, "--no-throughput", "--adopt-release").stdout


def test_a_release_with_other_points_is_adopted_only_if_everyone_is_regraded(classes: TinyClass) -> None:
    classes.hand_in("ada")
    called(verbs.grade, LAB, "--no-throughput")
    newer_kit(classes)
    change_points(classes)

    with pytest.raises(UserError, match=r"release 2 has other points .*2 → 3\); .*--adopt-release --again`"):
        called(verbs.grade, LAB, "--no-throughput", "--adopt-release")
    output = called(verbs.grade, LAB, "--no-throughput", "--adopt-release", "--again", "--yes").stdout

    assert ["ada", "5", "of", "8"] in rows_of(output)


def test_a_release_with_another_task_is_not_adopted_for_a_lab_with_submissions(
    classes: TinyClass, recorder: Recorder
) -> None:
    classes.hand_in("ada")
    recorder.record(LAB, "ada")
    before = recorder.marks(LAB)
    newer_kit(classes)
    for path in (classes.classroom.root / "solutions" / LAB / f"{LAB}.py", classes.classroom.root / "course.yml"):
        path.write_text(path.read_text().replace("triple", "thrice"))

    with pytest.raises(UserError, match=r"from release 1 to 2 \(.*Cannot add or remove cells.*`git checkout 1`"):
        called(verbs.grade, LAB, "--adopt-release")

    assert (classes.classroom.folder / FILE).read_text() == "1\n"
    assert recorder.marks(LAB) == before


@pytest.mark.parametrize("options", [[], ["--again", "--yes"]], ids=["first", "again"])
def test_a_class_with_a_check_that_could_not_be_decided_is_recorded(
    classes: TinyClass, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The open points are no change of course.yml; the teacher is asked for them, and the others count."""
    classes.hand_in("ada")
    classes.hand_in("ben", triple=HALF)
    run = Driver.run

    def busy(driver: Driver, *arguments: Any) -> Driven:
        driven = run(driver, *arguments)
        busy_cases = driver.cases_of.get("triple", [])
        driven.outcomes.update(dict.fromkeys(busy_cases, Outcome("ungraded", message="this machine is too busy")))
        return driven

    monkeypatch.setattr(Driver, "run", busy)

    result = called(verbs.grade, LAB, "--no-throughput", *options)

    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["ada", "2", "of", "7", "needs", "manual", "grading"] in rows
    assert ["ben", "2", "of", "7", "needs", "manual", "grading"] in rows
    assert "have changed" not in result.output
    assert "ada: 2 points still to be judged after 3 tries" in result.output
