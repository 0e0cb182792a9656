"""Drives `Autoscaler` with ticks, with the learner's own tasks of earlier labs, and through a virtual day.

The rows of a day are only the decisions of the learner's autoscaler: the check plays the day again with them, outside
the sandbox, and measures there.
"""

from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab09_system.scaling.drive_stubs import LargestOfAll, Shelf, play
from streamlab.lab05_placement.numa.topology import machine
from streamlab.lab09_system import ScaleRules

NEAR = machine([[10, 21, 21], [21, 10, 21], [21, 21, 10]], [1, 1, 1])


@drive("Autoscaler")
def autoscaler(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return the answers to all ticks, and what the learner's heal or deliver makes of them."""
    own = case.get("with")
    largest = earlier("lab02_windows").SlidingMax if own == "SlidingMax" else LargestOfAll
    fit = earlier("lab07_irm").FirstFit if own == "FirstFit" else Shelf
    with stage.replaced(SlidingMax=largest, FirstFit=fit):
        if "day" in case:
            return _decisions(stage, case)
        try:
            return _ticks(stage.Autoscaler(ScaleRules(*case["rules"])), case, earlier)
        except NoPair as problem:
            return {"returned": problem.answer}


class NoPair(Exception):
    """An answer is not (instances, workers); `answer` is what it is."""

    def __init__(self, answer: Any) -> None:
        super().__init__("not a pair")
        self.answer = plain(answer) if isinstance(answer, tuple | list | dict) else type_name(answer)


def _pair(answer: Any) -> tuple[dict[str, int], int]:
    """Return an answer as plain data. Raises NoPair if it has another form."""
    if isinstance(answer, tuple | list) and len(answer) == 2 and isinstance(answer[0], dict):
        instances = {str(name): worker for name, worker in answer[0].items()}
        if all(type(worker) is int for worker in [*instances.values(), answer[1]]):
            return instances, answer[1]
    raise NoPair(answer)


def _ticks(scaler: Any, case: Any, earlier: Any) -> Rows:
    answers, extra, running = list[Any](), list[Any](), dict[str, str]()
    for at, (offered, per_instance, lag, gone) in enumerate(case["ticks"]):
        if case.get("dies_at") == at:
            gone = [name for name, worker in answers[-1][0].items() if running[f"w{worker}"] == case["machine"]]
        answers.append(_pair(scaler.tick(offered, per_instance, lag, tuple(gone))))
        if case.get("with") == "heal":
            running = _healed(earlier("lab05_placement").heal, set(answers[-1][0].values()), running, case, at)
            extra.append(plain(running))
        elif case.get("with") == "deliver":
            rate = max(1, len(answers[-1][0])) * per_instance
            extra.append(_blocked_ms(earlier("lab01_wordcount").deliver, offered, rate, case["buffer"]))
    return {"answers": plain(answers), "extra": extra}


def _healed(heal: Any, workers: set[int], running: dict[str, str], case: Any, at: int) -> dict[str, str]:
    """Return the machine of each worker that has instances, by the learner's heal."""
    dead = case["machine"] if at >= case["dies_at"] else None
    living = {f"m{node}": node for node in NEAR.cores if f"m{node}" != dead}
    healed = heal({f"w{worker}": worker % len(NEAR.cores) for worker in workers}, running, living, {}, NEAR)
    return dict(healed)


def _blocked_ms(deliver: Any, offered: int, rate_per_s: int, buffer: int) -> Any:
    """Return how long sources wait that send a second's records in 250 ms, in hundreds, through a buffer."""
    chunks = offered // 100
    arrivals_ms = [250 * each // chunks for each in range(chunks)]
    return plain(deliver(arrivals_ms, 100_000 // rate_per_s, buffer, "block").blocked_ms)


def _decisions(stage: Any, case: Any) -> Rows:
    """Run the day; return the answer to each tick, [number of its first second, answer] wherever it changes."""
    decided: list[Any] = []

    class Noted:
        def __init__(self, rules: ScaleRules) -> None:
            self._own = stage.Autoscaler(rules)

        def tick(self, *arguments: Any) -> tuple[dict[str, int], int]:
            decided.append(_pair(self._own.tick(*arguments)))
            return decided[-1]

    try:
        play(Noted, case["day"], case["plan"], case["end_s"])
    except NoPair as problem:
        return {"returned": problem.answer}
    changes = [[at, plain(each)] for at, each in enumerate(decided) if at == 0 or each != decided[at - 1]]
    return {"decisions": changes}
