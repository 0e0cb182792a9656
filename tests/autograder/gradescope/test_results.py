"""Results have the keys that Gradescope documents, and say what a student needs to know."""

from typing import Any

from autograder.gradescope.results import for_gradescope, nothing_to_judge

TESTS_KEYS = {"name", "score", "max_score", "status", "visibility", "output"}
TOP_KEYS = {"score", "output", "visibility", "stdout_visibility", "tests"}
EVIDENCE = {"smallest_case": "words('a')", "invariant": "Invariant 2: it counts.", "hint": "./lab hint lab/words"}


def results(**more: Any) -> dict[str, Any]:
    """Return the judge's results of one failed check."""
    test = {"name": "lab/words/all", "score": 0.0, "max_score": 2.0, "status": "failed", "visibility": "visible"}
    ours = {
        "checks": [{"task": "words", "check": "all", "evidence": EVIDENCE}],
        **{"notes": [], "fallbacks": [], "limits_hit": [], "ungraded": [], "open": {}, "points": {}},
    }
    return {
        "score": 0.0,
        "max_score": 2.0,
        "tests": [{**test, "output": "Expected 1, got 2."}],
        "streamlab": ours | more,
    }


def test_a_failed_check_is_a_test_with_its_case_its_invariant_and_its_hint() -> None:
    found = for_gradescope(results())

    assert set(found) <= TOP_KEYS
    assert set(found["tests"][0]) == TESTS_KEYS
    assert found["tests"][0]["output"].splitlines() == [
        "Expected 1, got 2.",
        "Smallest case that shows it: words('a')",
        "Invariant 2: it counts.",
        "./lab hint lab/words",
    ]


def test_notes_open_checks_and_manual_points_are_shown_above_the_tests() -> None:
    ungraded = {"open": {"words/all": 2.0}, "ungraded": ["words/all: the machine was too busy."]}

    found = for_gradescope(results(notes=["A note."], points={"manual": 6}, **ungraded))

    assert found["output"].splitlines() == [
        "A note.",
        "Checks that could not be decided count 0 until you hand in again: words/all: the machine was too busy.",
        "Not included: manual grading (6 points).",
    ]


def test_a_submission_without_a_notebook_of_the_lab_gets_0_and_the_reason() -> None:
    found = nothing_to_judge("lab01_wordcount")

    assert found["score"] == 0
    assert "Hand in lab01_wordcount.ipynb." in found["output"]
