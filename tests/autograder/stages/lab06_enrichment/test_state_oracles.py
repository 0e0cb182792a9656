"""The oracles of state, windows and the load generator, against examples worked out by hand."""

import pytest

from autograder.stages.lab06_enrichment.generator import oracle as generator
from autograder.stages.lab06_enrichment.generator.cases import EXAMPLE
from autograder.stages.lab06_enrichment.state import oracle as state
from autograder.stages.lab06_enrichment.state.cases import EXAMPLE as HISTORY
from autograder.stages.lab06_enrichment.windows import oracle as windows
from autograder.stages.lab06_enrichment.windows.cases import T1, T2, T3, T4

FILES = [[T1, T2], [T1, T3], [T4]]
DEVICE = ["device", "ann", "phone"]


def test_the_example_has_the_waits_shown_on_the_page() -> None:
    assert generator.waiting_ms(EXAMPLE) == [1000, 5000, 5000, 1000, 0, 4000, 4000, 0, 5000, 3000, 3000, 5000]


@pytest.mark.parametrize("name", ["partitions", "brokers", "enough"])
def test_a_setting_below_one_is_invalid(name: str) -> None:
    assert generator.waiting_ms({**EXAMPLE, name: 0}) is None


def test_a_message_that_arrives_when_the_linger_time_ends_is_not_sent_with_that_batch() -> None:
    case = {"bursts": [[0, 1], [9, 1], [10, 1]], "partitions": 1, "brokers": 1, "enough": 5, "linger_ms": 10}

    assert generator.waiting_ms(case) == [10, 1, 10]


def test_a_transaction_is_answered_at_its_watermark_with_the_row_of_its_time() -> None:
    calls = HISTORY["calls"]
    arrived = [each for call in calls for each in call["arrived"]]

    assert state.answered_ids(calls) == [["t20"], ["t30", "t45"]]
    assert {name: rows[1] for name, (rows, _) in state.answers_by_id(arrived).items()} == {
        "t20": "old", "t30": "new", "t45": None
    }  # fmt: skip


def test_only_versions_after_the_watermark_and_the_current_one_are_kept() -> None:
    kept = state.kept_after(HISTORY["calls"])

    assert kept[0] == {
        "versions": [[DEVICE, [[10, 0, "old"], [30, 1, "new"], [40, 2, None]]]], "waiting": ["t30", "t45"]
    }  # fmt: skip
    assert kept[1] == {"versions": [], "waiting": []}


def test_windows_count_each_transaction_once_and_drop_the_late_one() -> None:
    case = {"files": FILES, "watermark_s": 10}
    found = [[start, cents, count, [name for name, _ in flags]] for start, _, _, cents, count, flags in
             windows.windows(case)]  # fmt: skip

    assert windows.on_time(case)[1] == [0, 0, 1]
    assert found == [
        [-5, 100, 1, []], [0, 350, 2, ["t2"]], [5, 250, 1, ["t2"]], [10, 1000, 1, ["t3"]], [15, 1000, 1, ["t3"]]
    ]  # fmt: skip


def test_payments_that_come_twice_are_flagged_and_counted_once() -> None:
    payment = ["t1", "ann", "shop", "phone", "Berlin", 70, 6000]
    case = {
        "transactions": [payment, payment],
        "rows": [["device", "ann", "phone", ""], ["location", "bob", "Berlin", "x"]],
    }

    flags = [["t1", ["UNKNOWN_RECIPIENT", "UNKNOWN_LOCATION"]]]
    assert windows.windows_of_payments(case) == [[0, 10, "ann", 70, 1, flags], [5, 15, "ann", 70, 1, flags]]
