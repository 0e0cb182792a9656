"""A sentence about a case that ran other tasks names those that do not pass, and those that nobody has judged."""

import pytest

from autograder.judge.other_tasks import with_other_tasks
from autograder.judge.verdicts import Verdict


def verdict(task: str, kind: str, *also_runs: str) -> Verdict:
    points = 1.0 if kind == "pass" else 0.0
    return Verdict(
        task, f"{task}_is_right", f"{task} is right", kind, points, 1.0, "The day ends early.", also_runs=also_runs
    )


@pytest.mark.parametrize(
    ("judged", "earlier", "more"),
    [
        ({"Desk": "pass", "route": "pass"}, {}, ""),
        ({"Desk": "fail", "route": "pass"}, {}, " Of the other tasks that it ran, these do not pass yet: Desk."),
        (
            {"Desk": "skipped", "route": "error"},
            {},
            " Of the other tasks that it ran, these do not pass yet: Desk, route.",
        ),
        ({"Desk": "fail"}, {"route": True}, " Of the other tasks that it ran, these do not pass yet: Desk."),
        ({"Desk": "pass"}, {"Desk": False, "route": True}, ""),  # the newer verdict counts
        (
            {},
            {"Desk": False},
            " Of the other tasks that it ran, these do not pass yet: Desk; these have no verdict yet: route.",
        ),
    ],
)
def test_the_failing_whole_names_what_does_not_pass(
    judged: dict[str, str], earlier: dict[str, bool], more: str
) -> None:
    verdicts = [verdict(task, kind) for task, kind in judged.items()] + [verdict("job", "fail", "Desk", "route")]

    *others, whole = with_other_tasks(verdicts, earlier)

    assert whole.sentence == f"The day ends early.{more}"
    assert others == verdicts[:-1]
