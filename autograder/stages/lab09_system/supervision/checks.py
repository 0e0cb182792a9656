"""The checks of `Supervisor`: each looks only at the part of the answers that its claim is about."""

from collections.abc import Callable
from typing import Any

from autograder.checks import Case, Mismatch, Rows, claims
from autograder.checks.compare import equal, key_of, shown
from autograder.checks.registry import Judge
from autograder.stages.lab09_system.supervision import cases, oracle

BEFORE = 6  # steps that a message shows


def _same(part: Callable[[list[Any]], list[Any]]) -> Judge:
    def judge(case: Case, rows: Rows) -> Mismatch | None:
        expected, got = oracle.answers(case), rows.get("answers")
        if not isinstance(got, list) or len(got) != len(expected):
            return Mismatch(f"Expected {len(expected)} answers of {_supervisor(case)}; yours are {shown(got)}.")
        pairs = enumerate(zip(part(expected), part(got), strict=True))
        at = next((at for at, (want, have) in pairs if not equal(want, have)), None)
        return None if at is None else _mismatch(case, at, expected[at], got[at])

    return judge


def _orders(answer: Any) -> list[list[Any]] | None:
    """Return the orders of a tick as lists [what, program, epoch]; None for answers of any other form."""
    is_list = isinstance(answer, list) and all(isinstance(order, list) and len(order) == 3 for order in answer)
    return answer if is_list else None


def _without_epochs(answers: list[Any]) -> list[Any]:
    """Return the orders without their epochs; other answers stay."""
    orders = [_orders(answer) for answer in answers]
    return [
        answer if own is None else [order[:2] for order in own] for answer, own in zip(answers, orders, strict=True)
    ]


def _first_kills(answers: list[Any]) -> list[Any]:
    """Return the programs that are killed for the first time; other answers stay."""
    found, seen = list[Any](), set[str]()
    for answer in answers:
        orders = _orders(answer)
        killed = [order[1] for order in orders or [] if order[0] == "kill" and key_of(order[1]) not in seen]
        seen.update(map(key_of, killed))
        found.append(answer if orders is None else killed)
    return found


def _mismatch(case: Case, at: int, want: Any, have: Any) -> Mismatch:
    before = ", ".join(_call(step) for step in case["script"][max(0, at - BEFORE) : at]) or "nothing"
    what = f"{_call(case['script'][at])} of {_supervisor(case)} to return {_written(want)}"
    story = f"Before it: {'…, ' if at > BEFORE else ''}{before}."
    return Mismatch(f"Expected {what}; yours returns {_written(have)}. {story}", want, have)


def _supervisor(case: Case) -> str:
    names = ("lease_ms", "first_ms", "most_ms", "stable_ms", "tries")
    rules = ", ".join(f"{name}={value}" for name, value in zip(names, case["rules"], strict=True))
    return f"Supervisor({shown(case['programs'])}, RestartRules({rules}))"


def _call(step: list[Any]) -> str:
    now_ms, what, *of = step
    return f"{what}({', '.join(map(shown, [*of, now_ms]))})"


def _written(answer: Any) -> str:
    """Return orders as a learner would write them: '[Order("kill", "job", 1)]'."""
    if not isinstance(answer, list):
        return shown(answer)
    orders = [each if isinstance(each, list) else [each] for each in answer]
    texts = [f"Order({', '.join(map(shown, order))})" for order in orders]
    return f"[{', '.join(texts)}]"


KILLS, ORDERS = _same(_first_kills), _same(_without_epochs)
CLAIMS = claims(
    ("Supervisor", "a_lease_that_ends_is_a_death", cases.leases, KILLS, None),
    ("Supervisor", "restarts_back_off_and_forget", cases.restarts, ORDERS, None),
    ("Supervisor", "a_zombie_changes_nothing", cases.zombies, KILLS, 6),
    ("Supervisor", "a_crash_loop_is_given_up_once", cases.crash_loops, ORDERS, None),
    ("Supervisor", "epochs_rise", cases.numbers, _same(list), 6),
    after={
        "restarts_back_off_and_forget": "a_lease_that_ends_is_a_death",
        "a_zombie_changes_nothing": "epochs_rise",
        "a_crash_loop_is_given_up_once": "a_lease_that_ends_is_a_death",
        "epochs_rise": "a_lease_that_ends_is_a_death",
    },
)
