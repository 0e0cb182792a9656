"""Requests to the judge, submissions after their checks, and the protocol of the backends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from autograder.course import Course, Limits
from autograder.intake import Rejected, Submission
from autograder.judge.chain import Chain
from autograder.judge.jobs import PUBLIC_SEED
from autograder.judge.outcomes import Driven
from autograder.judge.results import Circumstances
from autograder.judge.throughput import ThroughputResult
from autograder.judge.verdicts import Verdict
from streamlab.notebooks.labfile import LabCell
from streamlab.spark import fast_start

OnProgress = Callable[[str], None]


@dataclass(frozen=True)
class Request:
    """What to judge and how. `lab` is for notebooks that do not name it; `tasks` selects tasks, for `./lab check`.

    `backend` is where judging runs (None: this machine). `rejected_earlier` is for labs that this one builds on whose
    notebooks were rejected when they were handed in: lab -> (the reason, the digest of the bytes that were read).
    `limits_answers` compares the size of answers with that of the reference's, which verification measures.
    """

    root: Path
    course: Course
    lab: str | None = None
    seed: str = PUBLIC_SEED
    throughput: bool = True
    sandbox: str | None = None
    workers: int = 1
    tasks: tuple[str, ...] = ()
    backend: "Backend | None" = None
    rejected_earlier: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    limits_answers: bool = True

    def limits_of(self, lab: str) -> Limits:
        """Return the limits of a submission of this lab; without Spark's fast start, everything may take longer."""
        limits = self.course.limits_of(lab)
        return limits.model_copy(
            update={name: fast_start.patience(getattr(limits, name)) for name in ("wall_s", "load_s", "case_s")}
        )


@dataclass
class Checked:
    """A submission after its checks and before its throughput checks, or the reason why it was rejected.

    `worker` is the cluster worker that judged it.
    """

    name: str
    rejected: Rejected | None = None
    submission: Submission | None = None
    driven: Driven | None = None
    chain: Chain = field(default_factory=Chain)
    verdicts: list[Verdict] = field(default_factory=list)
    seconds: float = 0.0
    judge_failed: bool = False
    worker: str = ""


@dataclass(frozen=True)
class ThroughputOrder:
    """One throughput check to run: the cells, the task, the sandbox level and the seed."""

    lab: str
    task: str
    cells: list[LabCell]
    level: str
    seed: str


class Backend(Protocol):
    """Judges submissions in one place: on this machine or on a cluster."""

    def level(self, asked: str | None) -> str:
        """Return the sandbox level to use there. Raises `SandboxUnavailable` if none works."""

    def checked(self, path: Path, request: Request, how: Circumstances, on_progress: OnProgress) -> Checked:
        """Take in one submission and judge it by its checks; any error that it raises is a fault of the judge."""

    def measured(self, order: ThroughputOrder, request: Request, on_progress: OnProgress) -> ThroughputResult:
        """Run one throughput check."""
