"""Self-verification finds holes and names them."""

import pytest

from autograder.judge.results import FORGED
from autograder.verify.matrix import Mark, Row, accused, checks_without_mutant, full_marks, no_marks, same_verdicts
from autograder.verify.variants import Variant


def row(declared: set[str], caught: set[str]) -> Row:
    return Row(Variant("words", "words__m", frozenset(declared), ""), frozenset(caught))


def mark(check: str, points: float, sentence: str = "why") -> Mark:
    return Mark("t", check, "pass" if points else "fail", points, 1.0, sentence)


def test_a_mutant_caught_by_exactly_its_declared_checks_is_not_a_hole() -> None:
    assert row({"a"}, {"a"}).holes() == []


def test_a_check_that_lets_its_mutant_pass_is_a_hole() -> None:
    assert "got full marks from a" in row({"a"}, set()).holes()[0]


def test_a_check_that_catches_an_undeclared_mutant_is_a_hole() -> None:
    assert "lost points in b" in row({"a"}, {"a", "b"}).holes()[0]


def test_a_check_that_caught_no_mutant_is_a_hole() -> None:
    (hole,) = checks_without_mutant([row({"a"}, {"a"})], ["a", "b"])

    assert "check b caught no mutant" in hole


def test_right_work_without_full_marks_and_a_starter_with_marks_are_holes() -> None:
    marks = [mark("a", 1.0), mark("b", 0.0)]

    assert full_marks("the reference", marks) == ["the reference lost points in t/b: why"]
    assert no_marks("the starter", marks) == ["the starter got points in t/a"]


def test_a_verdict_or_a_sentence_that_changes_between_runs_is_a_hole() -> None:
    first = [mark("a", 1.0), mark("b", 1.0)]

    assert same_verdicts(first, [mark("b", 1.0)], 2) == []
    assert "b was pass in run 1 and fail in run 3" in same_verdicts(first, [mark("b", 0.0)], 3)[0]
    assert same_verdicts(first, [mark("a", 1.0, "another")], 2) != []


@pytest.mark.parametrize(
    "note",
    [
        "It tried to open /root/x (in words).",
        "It reached into Spark's scheduler, which counts the jobs that are graded (in count_words).",
        "It changed the judging code in its sandbox: json.dumps.",
        FORGED,
    ],
)
def test_an_accusation_of_honest_work_is_a_hole(note: str) -> None:
    assert accused("the reference", [note]) != []


def test_other_notes_are_not_accusations() -> None:
    notes = ["A magic line was skipped: %matplotlib inline.", "The locked cell setup was changed; …"]

    assert accused("the reference", notes) == []
