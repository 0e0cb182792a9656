"""The `drive` decorator: registers the function that runs a task on one case.

A drive takes `stage` (the learner's functions as attributes) and `case` (a dict). It can also ask by name for `spark`
(a running session), `scratch` (its own empty folder), `earlier` (the tasks of an earlier lab:
`earlier("lab01_wordcount").words`) and `outside` (a function that asks the case's counterpart; see
`autograder.inside.counterparts`). It returns a dict that JSON can hold. A drive without `spark` runs while Spark is
still starting.
"""

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.inside.counterparts import Ask, Counterpart, counterpart_of, load_counterparts
from autograder.inside.rows import readable
from autograder.inside.stage_groups import group_modules

OFFERED = ("stage", "case", "spark", "scratch", "earlier", "outside")


@dataclass(frozen=True)
class Drive:
    """The drive of one task. `wants` names its arguments; for a `slow` task, `verify` runs only a sample of mutants.

    `elastic` is (workers, cores per worker) of the session's cluster, which then begins without executors.
    """

    task: str
    run: Callable[..., dict[str, Any]]
    wants: frozenset[str]
    slow: bool = False
    elastic: tuple[int, int] | None = None

    @property
    def needs_spark(self) -> bool:
        """Whether the drive asks for a Spark session."""
        return "spark" in self.wants

    def __call__(
        self,
        *,
        stage: Any,
        case: Any,
        spark: Any = None,
        scratch: Path | None = None,
        earlier: Any = None,
        outside: Ask | None = None,
    ) -> dict[str, Any]:
        """Run the drive with the arguments that it wants. Raises `UnreadableAnswer` for rows that no check can read.

        Without `outside`, the case is a whole one, and its counterpart is in this process.
        """
        here = Counterpart(case) if outside else counterpart_of(self.task, case)
        offered = {"stage": stage, "case": here.shown(), "spark": spark, "scratch": scratch, "earlier": earlier}
        offered["outside"] = outside or here.ask
        rows = self.run(**{name: offered[name] for name in self.wants})
        return readable({**rows, **here.rows()})


DRIVES: dict[str, Drive] = {}


def drive(
    task: str, *, slow: bool = False, elastic: tuple[int, int] | None = None
) -> Callable[[Callable[..., dict[str, Any]]], Drive]:
    """Register the decorated function as the drive of `task`; `slow` if its cases take seconds to compute.

    With `elastic`, all drives of the lab get a session with executors that they start and stop; see `session`.
    """

    def register(run: Callable[..., dict[str, Any]]) -> Drive:
        wants = frozenset(inspect.signature(run).parameters)
        unknown = wants.difference(OFFERED)
        if unknown:
            raise TypeError(f"drive {task}: unknown arguments {sorted(unknown)}; available: {', '.join(OFFERED)}")
        DRIVES[task] = Drive(task, run, wants, slow, elastic)
        return DRIVES[task]

    return register


def load_drives(lab: str) -> None:
    """Import the drives of all groups of a lab, which registers them in `DRIVES`, and their counterparts."""
    load_counterparts(lab)
    for name in group_modules(lab, "drive"):
        importlib.import_module(name)
