"""The backend that judges in sandboxes of this machine; the other is autograder.grading.cluster_backend."""

from pathlib import Path

from autograder.checks import load_stage
from autograder.judge.request import Backend, Checked, OnProgress, Request, ThroughputOrder
from autograder.judge.results import Circumstances
from autograder.judge.submission_checks import check_submission
from autograder.judge.throughput import ThroughputResult, measure_throughput
from autograder.sandbox import choose_level


class LocalBackend:
    """Judges in sandboxes of this machine."""

    def level(self, asked: str | None) -> str:
        """The level that works here."""
        return choose_level(asked)

    def checked(self, path: Path, request: Request, how: Circumstances, on_progress: OnProgress) -> Checked:
        """Intake, drive, check."""
        return check_submission(path, request, how, on_progress)

    def measured(self, order: ThroughputOrder, request: Request, on_progress: OnProgress) -> ThroughputResult:
        """Both sides here."""
        rule = request.course.labs[order.lab].tasks[order.task].throughput
        throughput = load_stage(order.lab).throughput_of(order.task)
        assert rule is not None
        assert throughput is not None
        return measure_throughput(
            throughput,
            rule,
            order.lab,
            order.cells,
            level=order.level,
            root=request.root,
            limits=request.course.limits_of(order.lab),
            seed=order.seed,
            on_progress=on_progress,
        )


def backend_of(request: Request) -> Backend:
    """The backend that the request names, else this machine."""
    return request.backend or LocalBackend()
