"""Drives `Supervisor` with a script of ticks, beats and ends.

A script numbers the starts of a program 1, 2, 3, …; the drive passes the epoch that the learner gave to that start, so
that epochs are judged by their own check.
"""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain
from streamlab.lab09_system import RestartRules


@drive("Supervisor")
def supervisor(stage: Any, case: Any) -> Rows:
    """Return the orders of each tick and the answer to each beat; None for each end."""
    given = stage.Supervisor(tuple(case["programs"]), RestartRules(*case["rules"]))
    epochs: dict[Any, list[Any]] = {}
    answers = list[Any]()
    for now_ms, what, *of in case["script"]:
        if what == "tick":
            answers.append(plain(given.tick(now_ms)))
            _note(epochs, answers[-1])
        else:
            program, number = of
            known = epochs.get(program, [])
            epoch = known[number - 1] if 1 <= number <= len(known) else number
            answer = getattr(given, what)(program, epoch, now_ms)
            answers.append(plain(answer) if what == "beat" else None)
    return {"answers": answers}


def _note(epochs: dict[Any, list[Any]], orders: Any) -> None:
    """Add the epochs of the starts among the orders."""
    for order in orders if isinstance(orders, list) else []:
        if isinstance(order, list) and len(order) == 3 and order[0] == "start":
            epochs.setdefault(str(order[1]), []).append(order[2])
