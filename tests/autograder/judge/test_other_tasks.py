"""A sentence about a case that ran other tasks names those that do not pass, and those that nobody has judged."""

from dataclasses import replace

import pytest

from autograder.judge.other_tasks import with_other_tasks
from autograder.judge.verdicts import Verdict
from tests.autograder.judge.tiny_kit import RIGHT, Kit, sentence

FAILS = "def double(x):\n    return x"


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


@pytest.mark.parametrize(("desk", "evidence"), [("pass", {"got": "2", "invariant": "4"}), ("fail", {"got": "2"})])
def test_an_invariant_is_cited_only_if_the_other_tasks_pass(desk: str, evidence: dict[str, str]) -> None:
    whole = replace(verdict("job", "fail", "Desk"), evidence={"got": "2", "invariant": "4"})

    *_, settled = with_other_tasks([verdict("Desk", desk), whole])

    assert settled.evidence == evidence


def test_the_judge_names_the_task_that_another_ones_case_ran(kit: Kit) -> None:
    checks = kit.root / "autograder" / "stages" / "lab99_tiny" / "numbers" / "checks.py"
    wrong = 'Mismatch("Expected three times the number.", also_runs=("double",))'
    before_last_line, _, _ = checks.read_text().rpartition("    return")
    checks.write_text(f"from autograder.checks import Mismatch\n{before_last_line}    return {wrong}\n")

    both, alone = (sentence(kit.judge(double, RIGHT["triple"]), "triple") for double in (FAILS, RIGHT["double"]))

    assert both.endswith("Of the other tasks that it ran, these do not pass yet: double.")
    assert alone == "Expected three times the number."
