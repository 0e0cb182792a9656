"""The oracle of Supervisor against the trace of the lab's text, and what its cases may hold."""

from typing import Any

import pytest

from autograder.inside import DRIVES, load_drives
from autograder.stages.lab09_system.supervision import cases, checks, oracle

RULES = [3000, 1000, 8000, 20_000, 4]


def answers(*script: list[Any], rules: list[int] = RULES) -> list[Any]:
    return oracle.answers({"programs": ["job"], "rules": rules, "script": list(script)})


def test_a_silent_program_is_killed_and_its_zombie_is_told_to_stop() -> None:
    first = [[0, "tick"], [1000, "beat", "job", 1], [3999, "tick"], [4000, "tick"], [4500, "beat", "job", 1]]
    second = [[5000, "tick"], [5500, "ended", "job", 1], [6000, "ended", "job", 2], [7999, "tick"], [8000, "tick"]]

    found = answers(*first, *second)

    starts = [[["start", "job", number]] for number in (1, 2, 3)]
    assert found == [starts[0], True, [], [["kill", "job", 1]], False, starts[1], None, None, [], starts[2]]


@pytest.mark.parametrize(("run_ms", "wait_ms"), [(19_999, 2000), (20_000, 1000)])
def test_a_stable_run_makes_the_next_failure_the_first(run_ms: int, wait_ms: int) -> None:
    begun = [[0, "tick"], [0, "ended", "job", 1], [1000, "tick"], [1000 + run_ms, "ended", "job", 2]]
    due_ms = 1000 + run_ms + wait_ms

    found = answers(*begun, [due_ms - 1, "tick"], [due_ms, "tick"], rules=[10**6, *RULES[1:]])

    assert found[-2:] == [[], [["start", "job", 3]]]


def test_a_kill_can_be_the_last_try() -> None:
    found = answers([0, "tick"], [3000, "tick"], [99_000, "tick"], rules=[*RULES[:4], 1])

    assert found[1:] == [[["kill", "job", 1], ["give_up", "job", 1]], []]


@pytest.mark.parametrize("made", [cases.leases, cases.restarts, cases.zombies, cases.crash_loops, cases.numbers])
def test_time_never_goes_back_in_a_case(made: Any) -> None:
    for case in made("a seed"):
        times = [step[0] for step in case["script"]]

        assert times == sorted(times)


def test_each_check_has_only_what_its_claim_is_about() -> None:
    leases = [order for case in cases.leases("a seed") for order in orders(case)]
    restarts = [order for case in cases.restarts("a seed") for order in orders(case)]

    assert {number for what, _, number in leases if what == "start"} == {1}
    assert not {what for what, _, _ in restarts} & {"give_up"}


def orders(case: dict[str, Any]) -> list[Any]:
    return [order for answer in oracle.answers(case) if isinstance(answer, list) for order in answer]


def test_a_student_who_counts_epochs_from_zero_loses_only_the_check_of_the_epochs() -> None:
    load_drives("lab09_system")

    class FromZero:
        """Starts a program at each tick and accepts the newest epoch only."""

        epoch = -1

        def __init__(self, *_: Any) -> None: ...
        def beat(self, _: str, epoch: int, __: int) -> bool:
            return epoch == self.epoch

        def ended(self, *_: Any) -> None: ...
        def tick(self, _: int) -> list[Any]:
            self.epoch += 1
            return [("start", "job", self.epoch)]

    script = [[0, "tick"], [1, "beat", "job", 1], [2, "tick"], [3, "beat", "job", 1], [4, "beat", "job", 2]]
    stage = type("Stage", (), {"Supervisor": FromZero})
    rows = DRIVES["Supervisor"](stage=stage, case={"programs": ["job"], "rules": RULES, "script": script})

    assert [answer for answer in rows["answers"] if isinstance(answer, bool)] == [True, False, True]


def test_a_message_writes_orders_as_a_learner_would() -> None:
    case = cases.numbers("a seed")[0]
    claim = next(each for each in checks.CLAIMS if each.name == "epochs_rise")

    wrong = claim.judge(case, {"answers": [[["start", "job", 0]], None, [["start", "job", 1]]]})

    assert wrong
    assert 'to return [Order("start", "job", 1)]; yours returns [Order("start", "job", 0)].' in wrong.sentence
