"""A class is judged once, goes on where it was stopped, and is judged again only when asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.judge.judging import RACES_OFF
from autograder.record import grading, kept
from autograder.record.again import changes, differing, judge_again, races_count, take_over, with_races_of
from autograder.record.grading import Graded, grade_class

LAB = "lab99_tiny"


def grade(tiny_class, told: list[str] | None = None) -> Graded:
    said = told if told is not None else []
    return grade_class(tiny_class.classroom, LAB, tiny_class.request(), said.append)


def scores(tiny_class) -> dict[str, float]:
    folder = tiny_class.classroom.folder / "results" / LAB
    return {path.stem: kept.load(path).results["score"] for path in sorted(folder.glob("*.json"))}


def test_progress_says_how_many_are_done_and_the_points(tiny_class) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")
    told: list[str] = []

    grade(tiny_class, told)

    assert told[0].startswith("1 of 2, about ")
    assert told[1].startswith("2 of 2 · ")
    assert any("ben: 2 of 4" in line for line in told)


def test_a_second_run_judges_nobody_and_a_changed_notebook_its_student_alone(tiny_class) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben")
    grade(tiny_class)

    assert grade(tiny_class).judged == []
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")
    assert grade(tiny_class).judged == ["ben"]
    assert scores(tiny_class) == {"ada": 4, "ben": 2}


def test_what_was_judged_before_a_stop_is_kept(tiny_class, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben")
    really = grading.judged_anew

    def stopped_after_one(*args: Any) -> Iterator[Any]:
        yield next(iter(really(*args)))
        raise KeyboardInterrupt

    monkeypatch.setattr(grading, "judged_anew", stopped_after_one)
    with pytest.raises(KeyboardInterrupt):
        grade(tiny_class)
    monkeypatch.setattr(grading, "judged_anew", really)

    assert len(scores(tiny_class)) == 1
    assert len(grade(tiny_class).judged) == 1


def test_a_broken_result_file_is_judged_anew(tiny_class) -> None:
    tiny_class.hand_in("ada")
    grade(tiny_class)
    tiny_class.classroom.results_of(LAB, "ada").write_text('{"origin": {')

    assert grade(tiny_class).judged == ["ada"]


def test_a_fault_of_the_judge_itself_costs_nobody_a_mark_and_is_named(tiny_class, monkeypatch) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")

    def fails(check: Any, *rest: Any) -> Any:
        raise RuntimeError("a bug")

    monkeypatch.setattr("autograder.judge.judging.judge_check", fails)
    graded = grade(tiny_class)
    monkeypatch.undo()

    assert graded.judged == []
    assert all("the judge itself failed (RuntimeError: a bug)" in problem for problem in graded.problems)
    assert len(graded.problems) == 2


def test_students_get_cases_of_their_own(tiny_class) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben")
    grade(tiny_class)

    load = tiny_class.classroom.results_of
    seeds = {kept.load(load(LAB, name)).results["streamlab"]["seed_id"] for name in ("ada", "ben")}
    assert len(seeds) == 2


def test_after_a_change_of_the_checks_results_stay_and_are_named(tiny_class, monkeypatch) -> None:
    tiny_class.hand_in("ada")
    grade(tiny_class)
    monkeypatch.setattr(kept, "checks", lambda root, lab: "others")

    graded = grade(tiny_class)

    assert graded.judged == []
    assert graded.by_other_checks == ["ada"]


def test_judging_again_shows_gains_and_losses_and_writes_only_when_told(tiny_class, monkeypatch) -> None:
    tiny_class.hand_in("ada")
    tiny_class.hand_in("ben", triple="def triple(n):\n    return n")
    grade(tiny_class)
    monkeypatch.setattr(kept, "checks", lambda root, lab: "others")
    monkeypatch.setattr("autograder.judge.judging.load_agreed_stage", _with_triple_as_the_number_itself())

    graded = judge_again(tiny_class.classroom, LAB, tiny_class.request(), lambda text: None)
    found = {each.student: each.gain for each in changes(tiny_class.classroom, LAB, graded.students)}

    assert found == {"ada": -2, "ben": 2}
    assert scores(tiny_class) == {"ada": 4, "ben": 2}
    take_over(tiny_class.classroom, LAB, graded.students)
    assert scores(tiny_class) == {"ada": 2, "ben": 4}


def test_judging_again_goes_on_where_it_was_stopped(tiny_class) -> None:
    tiny_class.hand_in("ada")
    grade(tiny_class)
    told: list[str] = []
    judge_again(tiny_class.classroom, LAB, tiny_class.request(), told.append)

    judge_again(tiny_class.classroom, LAB, tiny_class.request(), told.append)

    assert len(told) == 1


def _with_triple_as_the_number_itself() -> Any:
    import dataclasses

    from autograder.checks import Mismatch, StageChecks
    from autograder.judge.judging import load_agreed_stage as really

    def corrected(case: dict[str, Any], rows: dict[str, Any]) -> Mismatch | None:
        return None if rows["got"] == case["number"] else Mismatch("not the number itself")

    def load(lab: str, course: Any) -> StageChecks:
        stage = really(lab, course)
        checks = [
            dataclasses.replace(each, judge=corrected) if each.task == "triple" else each for each in stage.checks
        ]
        return dataclasses.replace(stage, checks=checks)

    return load


def result(race: dict[str, Any] | None, *scores: float) -> dict[str, Any]:
    tests = [{"name": f"lab/words/check{at}", "score": score, "max_score": 1.0} for at, score in enumerate(scores)]
    races = (
        [{"task": "words", "check": "fast", "ratio": 2.0, "bar": 1.25, "max_points": 3.0}] if race is None else [race]
    )
    if race is None:
        tests.append({"name": "lab/words/fast", "score": 3.0, "max_score": 3.0})
    return {
        "score": sum(test["score"] for test in tests),
        "max_score": sum(test["max_score"] for test in tests),
        "tests": tests,
        "streamlab": {"lab": "lab", "races": races, "notes": [RACES_OFF, "other"]},
    }


def test_a_race_that_was_run_before_is_carried_over_with_its_points() -> None:
    before, after = result(None, 1, 0), result(None, 1, 1)
    after["tests"], after["streamlab"]["races"] = after["tests"][:-1], []

    merged = with_races_of(before, after)

    assert merged["score"] == 5
    assert merged["max_score"] == 5
    assert merged["streamlab"]["notes"] == ["other"]
    assert differing(before, merged) == ["words/check1: 0 → 1"]


def test_a_check_that_is_new_is_named_with_no_points_before() -> None:
    assert differing({"tests": []}, {"tests": [{"name": "lab/words/new", "score": 1.0}]}) == ["words/new: none → 1"]


@pytest.mark.parametrize(
    ("race", "counts"),
    [
        ({"task": "words", "ratio": 2.0, "bar": 1.25, "max_points": 3.0}, True),
        ({"task": "words", "ratio": None, "bar": 1.25, "max_points": 3.0}, False),
        ({"task": "words", "ratio": 2.0, "bar": 1.5, "max_points": 3.0}, False),
    ],
    ids=["as today", "it was not run", "the bar was moved"],
)
def test_an_earlier_race_counts_while_it_was_run_against_todays_bar(race: dict[str, Any], counts: bool) -> None:
    from autograder.course.model import Lab

    task = {"checks": {"check0": 1}, "race": {"yardstick": "plain", "bar": 1.25, "points": 3}}
    lab = Lab(title="x", minutes=1, points=4, tasks={"words": task})

    assert races_count(result(race), lab) is counts


def test_a_notebook_that_cannot_be_read_has_an_origin_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "course.yml").write_text("x")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "nowhere")

    assert kept.origin_of(tmp_path / "link.ipynb", "lab", "seed", False, tmp_path).notebook == "no regular file"
