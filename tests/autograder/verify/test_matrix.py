"""Holes in self-verification are found and named."""

import pytest

from autograder.judge.results import FORGED
from autograder.verify.matrix import (
    Row,
    accused,
    checks_without_mutant,
    full_marks,
    no_marks,
    rows_of_round,
    same_verdicts,
)
from autograder.verify.variants import Variant, rounds_of


def row(declared: set[str], caught: set[str]) -> Row:
    return Row(Variant("words", "words__m", "about", frozenset(declared), ""), frozenset(caught))


def results(*marks: tuple[str, float]) -> dict:
    tests = [
        {"name": f"lab/t/{n}", "score": s, "status": "passed" if s else "failed", "output": "why"} for n, s in marks
    ]
    return {"score": sum(s for _, s in marks), "tests": tests}


def test_a_mutant_caught_by_just_what_it_declares_is_no_hole() -> None:
    assert row({"a"}, {"a"}).holes() == []


def test_a_check_that_lets_its_mutant_pass_is_named() -> None:
    assert "got full marks from a" in row({"a"}, set()).holes()[0]


def test_a_check_that_catches_an_undeclared_mutant_is_named() -> None:
    assert "lost points in b" in row({"a"}, {"a", "b"}).holes()[0]


def test_a_check_that_caught_no_mutant_is_named() -> None:
    holes = checks_without_mutant([row({"a"}, {"a"})], ["a", "b"])

    assert len(holes) == 1
    assert "check b caught no mutant" in holes[0]


def test_right_work_without_full_marks_and_a_starter_with_marks_are_holes() -> None:
    assert "lost points in lab/t/b" in full_marks("the reference", results(("a", 1), ("b", 0)))[0]
    assert "got points in lab/t/a" in no_marks("the starter", results(("a", 1)))[0]


def test_a_verdict_that_changes_between_runs_is_a_hole() -> None:
    run = {"streamlab": {"checks": [{"task": "t", "check": "c", "verdict": "pass", "points": 1, "sentence": "s"}]}}
    other = {"streamlab": {"checks": [{"task": "t", "check": "c", "verdict": "fail", "points": 0, "sentence": "s"}]}}

    assert same_verdicts([run, run]) == []
    assert "fail in run 3" in same_verdicts([run, run, other])[0]


def of_task(task: str, name: str, *killed_by: str) -> Variant:
    return Variant(task, f"{task}__{name}", "about", frozenset(killed_by), "")


def test_mutants_of_different_tasks_ride_together_and_of_one_task_do_not() -> None:
    first, second, third = of_task("words", "a"), of_task("words", "b"), of_task("deliver", "a")

    assert rounds_of([first, second, third]) == [[first, third], [second]]


def test_in_a_round_each_mutant_answers_for_its_own_task_and_the_first_for_all_others() -> None:
    failed = [{"name": f"lab/{task}/{task}_check", "status": "failed"} for task in ("words", "deliver", "on_word")]
    mutants = [of_task("words", "a", "words_check"), of_task("deliver", "a", "deliver_check")]

    rows = rows_of_round(mutants, {"tests": failed})

    assert [sorted(row.caught_by) for row in rows] == [["on_word_check", "words_check"], ["deliver_check"]]
    assert "lost points in on_word_check" in rows[0].holes()[0]


@pytest.mark.parametrize(
    "note",
    [
        "It tried to open /root/x (in words).",
        "It reached into Spark's scheduler, which counts the jobs that are graded (in count_words).",
        "It changed the judging code in its sandbox: json.dumps.",
        FORGED,
    ],
)
def test_work_that_attacks_nothing_and_is_accused_is_a_hole(note: str) -> None:
    assert accused("the reference", {"streamlab": {"notes": [note]}}) != []


def test_other_notes_are_no_accusation() -> None:
    notes = [
        "Throughput checks were switched off; their points are not counted.",
        "The locked cell setup was changed; …",
    ]

    assert accused("the reference", {"streamlab": {"notes": notes}}) == []
