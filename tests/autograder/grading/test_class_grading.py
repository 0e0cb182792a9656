"""Grading judges each submission once, continues where it was stopped, and judges again only on request."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.classroom import cached_results
from autograder.classroom.class_release import FILE
from autograder.classroom.folder import ROOT
from autograder.grading import class_grading
from autograder.grading.class_grading import Graded, grade_class
from autograder.grading.regrade import regrade_class
from autograder.judge import batch, submission_checks
from autograder.judge.driver import Driver
from autograder.record.verdict_cells import JudgedVerdicts, NotGraded

LAB = "lab99_tiny"


def grade(tiny_class, on_progress: list[str] | None = None) -> Graded:
    messages = on_progress if on_progress is not None else []
    return grade_class(tiny_class.classroom, LAB, tiny_class.request(), messages.append)


def scores(tiny_class) -> dict[str, float]:
    folder = tiny_class.classroom.folder / "results" / LAB
    return {path.stem: cached_results.load(path).results["score"] for path in sorted(folder.glob("*.json"))}


def test_progress_shows_how_many_are_judged_and_the_points(tiny_class) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")
    on_progress: list[str] = []

    grade(tiny_class, on_progress)

    assert on_progress[0].startswith("1 of 2, about ")
    assert on_progress[1].startswith("2 of 2 · ")
    assert any("ben: 2 of 4" in line for line in on_progress)


def test_a_second_run_judges_only_students_whose_notebook_has_changed(tiny_class) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben")
    grade(tiny_class)

    assert grade(tiny_class).judged == []
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")
    assert grade(tiny_class).judged == ["ben"]
    assert scores(tiny_class) == {"ada": 4, "ben": 2}


def test_results_from_before_a_stop_are_kept(tiny_class, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben")
    original = class_grading.judge_submissions

    def stopped_after_one(*args: Any) -> Iterator[Any]:
        yield next(iter(original(*args)))
        raise KeyboardInterrupt

    monkeypatch.setattr(class_grading, "judge_submissions", stopped_after_one)
    with pytest.raises(KeyboardInterrupt):
        grade(tiny_class)
    monkeypatch.setattr(class_grading, "judge_submissions", original)

    assert len(scores(tiny_class)) == 1
    assert len(grade(tiny_class).judged) == 1


def test_a_submission_with_a_broken_result_file_is_judged_again(tiny_class) -> None:
    tiny_class.hand_in("ada")
    grade(tiny_class)
    tiny_class.classroom.results_of(LAB, "ada").write_text('{"origin": {')

    assert grade(tiny_class).judged == ["ada"]


def test_a_fault_of_the_judge_costs_no_student_a_mark_and_is_reported(tiny_class, monkeypatch) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")

    def fails(check: Any, *rest: Any) -> Any:
        raise RuntimeError("a bug")

    monkeypatch.setattr("autograder.judge.submission_checks.judge_check", fails)
    graded = grade(tiny_class)
    monkeypatch.undo()

    assert graded.judged == []
    assert all("the judge itself failed (RuntimeError: a bug)" in problem for problem in graded.problems)
    assert len(graded.problems) == 2


def test_each_student_gets_different_cases(tiny_class, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben")
    plan_for, planned = submission_checks.plan_for, set()

    def recorded_plan(stage: Any, seed: str, tasks: Any) -> Any:
        planned.add(seed)
        return plan_for(stage, seed, tasks)

    monkeypatch.setattr(submission_checks, "plan_for", recorded_plan)
    grade(tiny_class)

    load = tiny_class.classroom.results_of
    seeds = {cached_results.load(load(LAB, name)).results["streamlab"]["seed_id"] for name in ("ada", "ben")}
    assert len(seeds) == len(planned) == 2


def test_after_a_change_of_the_checks_results_stay_and_are_reported(tiny_class, monkeypatch) -> None:
    tiny_class.hand_in("ada")
    grade(tiny_class)
    monkeypatch.setattr(cached_results, "digest_of_judging", lambda root, lab: "others")

    graded = grade(tiny_class)

    assert graded.judged == []
    assert graded.by_other_checks == ["ada"]


def test_a_notebook_that_cannot_be_read_has_a_separate_provenance(tmp_path: Path) -> None:
    (tmp_path / "course.yml").write_text("x")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "nowhere")

    assert (
        cached_results.provenance_of(tmp_path / "link.ipynb", "lab", "seed", False, ROOT).notebook == "no regular file"
    )


def test_a_result_is_out_of_date_once_a_notebook_that_it_builds_on_has_changed(tmp_path: Path) -> None:
    (tmp_path / "course.yml").write_text("x")
    notebooks = {lab: tmp_path / "ada" / lab / f"{lab}.ipynb" for lab in ("later", "earlier")}
    for notebook in notebooks.values():
        notebook.parent.mkdir(parents=True)
        notebook.write_text("{}")

    def provenance() -> cached_results.Provenance:
        return cached_results.provenance_of(notebooks["later"], "later", "seed", False, ROOT, ["earlier"])

    before = provenance()
    assert before.same_work(provenance())
    notebooks["earlier"].write_text("{ }")
    assert not before.same_work(provenance())
    notebooks["earlier"].unlink()
    assert not before.same_work(provenance())


def test_nbgraders_command_records_no_points_if_the_judge_fails(tiny_class, monkeypatch) -> None:
    tiny_class.hand_in("ada")
    monkeypatch.setattr(Driver, "run", lambda driver, done: 1 / 0)

    with pytest.raises(NotGraded, match="the judge itself failed"):
        JudgedVerdicts()._results(tiny_class.classroom, LAB, "ada")

    assert scores(tiny_class) == {}


def misnamed(tiny_class, student: str) -> None:
    path = tiny_class.hand_in(student)
    path.rename(path.with_name(f"{LAB} (1).ipynb"))


def test_a_student_whose_notebook_has_another_name_gets_no_result_instead_of_0_points(tiny_class) -> None:
    tiny_class.hand_in("ada")
    misnamed(tiny_class, "ben")

    for graded in (
        grade(tiny_class),
        regrade_class(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None),
    ):
        assert graded.students == ["ada"]
        assert f"got '{LAB} (1).ipynb'" in graded.problems[0]


def test_nbgraders_command_does_not_judge_a_notebook_of_another_name(tiny_class) -> None:
    misnamed(tiny_class, "ben")

    with pytest.raises(NotGraded, match=r"of ben: expected .*, got .*\(1\).ipynb"):
        JudgedVerdicts()._results(tiny_class.classroom, LAB, "ben")


def test_nbgraders_command_judges_nothing_for_a_class_of_another_release(tiny_class) -> None:
    tiny_class.hand_in("ada")
    (tiny_class.classroom.folder / FILE).write_text("0\n")

    with pytest.raises(NotGraded, match=r"began with release 0, and this kit is of 1; finish .* `git checkout 0`"):
        JudgedVerdicts()._results(tiny_class.classroom, LAB, "ada")

    assert scores(tiny_class) == {}


def test_a_file_that_is_replaced_after_judging_does_not_keep_the_points(tiny_class, monkeypatch) -> None:
    wrong = tiny_class.hand_in("ada", double="def double(n):\n    return 7").read_bytes()
    path, judged_results = tiny_class.hand_in("ada"), batch._results

    def exchanged(*arguments: Any) -> dict[str, Any]:
        results = judged_results(*arguments)
        path.write_bytes(wrong)
        return results

    monkeypatch.setattr(batch, "_results", exchanged)
    assert grade(tiny_class).judged == ["ada"]

    assert grade(tiny_class).judged == ["ada"]
    assert scores(tiny_class) == {"ada": 2}


def test_the_provenance_has_the_digests_of_the_judged_files() -> None:
    now = cached_results.Provenance("now", "seed", False, "checks", "lab1:now | lab2:none")

    judged = cached_results.as_judged(now, {"streamlab": {"digests": {"notebook": "then", "earlier": {"lab1": "a:b"}}}})

    assert (judged.notebook, judged.earlier) == ("then", "lab1:a:b | lab2:none")


def test_a_folder_that_cannot_be_entered_does_not_stop_grading(tiny_class, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_class.hand_in("ada")
    closed = tiny_class.hand_in("ben").parent

    def denied(call: Any) -> Any:
        def denied_call(path: Any, *arguments: Any, **options: Any) -> Any:
            # as a folder of mode 000 behaves for a user who is not root
            if isinstance(path, str | Path) and closed in Path(path).parents:
                raise PermissionError(13, "Permission denied")
            return call(path, *arguments, **options)

        return denied_call

    for name in ("open", "stat", "lstat"):
        monkeypatch.setattr(os, name, denied(getattr(os, name)))

    graded = grade(tiny_class)

    assert graded.judged == ["ada", "ben"]
    assert scores(tiny_class) == {"ada": 4, "ben": 0}
    assert cached_results.provenance_of(closed / "x.ipynb", LAB, "seed", False, tiny_class.classroom.root, [LAB])
