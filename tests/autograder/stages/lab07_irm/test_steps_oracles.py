"""The oracles of Assignments and dispatch against the examples in the docstrings, and what their cases may hold."""

from typing import Any

from autograder.stages.lab07_irm.messages import cases_steps, oracle_steps


def test_the_oracle_of_assignments_agrees_with_the_example_in_the_docstring() -> None:
    script = [["begin", "m"], ["assign", "e", "m"], ["lose", "e"], ["assign", "f", "m"], ["end", "m"]]

    answers = oracle_steps.answers({"script": [*script, ["release", "e", "m"], ["release", "f", "m"]]})

    assert answers == [True, None, ["m", 1], None, True, False, True]


def test_losses_count_from_zero_after_a_message_begins_again() -> None:
    once = [["begin", "m"], ["assign", "e", "m"], ["lose", "e"]]

    answers = oracle_steps.answers({"script": [*once, ["end", "m"], *once]})

    assert answers[2] == answers[-1] == ["m", 1]


def test_the_oracle_of_route_agrees_with_the_example_in_the_docstring() -> None:
    calls = [[name, "i", False, False] for name in ("m1", "m2", "m3")]
    case: dict[str, Any] = {"idle": [["e", "i"]], "promised": [], "stored": [], "limit": 1, "calls": calls}

    orders = [row[0] for row in oracle_steps.routes(case)]

    assert orders == [[["push", "m1", "e"]], [["store", "m2", None]], [["wait", "m3", None]]]


def test_an_engine_has_at_most_one_message_in_every_case() -> None:
    for case in [*cases_steps.released("a seed"), *cases_steps.lost("a seed")]:
        answers, has = oracle_steps.answers(case), dict[str, str]()
        for (what, name, *more), answer in zip(case["script"], answers, strict=True):
            if what == "assign":
                assert name not in has
                assert more[0] not in has.values()
                has[name] = more[0]
            elif what == "lose" or (what == "release" and answer):
                has.pop(name, None)
