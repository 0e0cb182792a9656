"""The backend that judges in sandboxes on this machine; `autograder.grading.cluster_backend` judges on a cluster."""

from pathlib import Path

from autograder.checks import load_stage
from autograder.judge.request import Backend, Checked, OnProgress, Request, ThroughputOrder
from autograder.judge.results import Circumstances
from autograder.judge.submission_checks import check_submission
from autograder.judge.throughput import ThroughputResult, measure_throughput
from autograder.sandbox import choose_level


class LocalBackend:
    """Judges in sandboxes on this machine."""

    def level(self, asked: str | None) -> str:
        """Return the sandbox level that works on this machine."""
        return choose_level(asked)

    def checked(self, path: Path, request: Request, how: Circumstances, on_progress: OnProgress) -> Checked:
        """Take in a submission, drive it and check its rows."""
        return check_submission(path, request, how, on_progress)

    def measured(self, order: ThroughputOrder, request: Request, on_progress: OnProgress) -> ThroughputResult:
        """Run a throughput check, with both sides on this machine."""
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
            limits=request.limits_of(order.lab),
            seed=order.seed,
            on_progress=on_progress,
        )


def backend_of(request: Request) -> Backend:
    """Return the request's backend, or the local one by default."""
    return request.backend or LocalBackend()
