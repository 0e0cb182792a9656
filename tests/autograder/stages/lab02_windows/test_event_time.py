"""Event time: the oracle against examples worked out by hand. Each file is a micro-batch."""

from typing import Any

import pytest

from autograder.stages.lab02_windows.event_time import cases
from autograder.stages.lab02_windows.event_time.checks import CLAIMS
from autograder.stages.lab02_windows.event_time.oracle import AmbiguousCase, event_time_counts, window_of


def file(*events: tuple[str, float]) -> list[dict[str, Any]]:
    return [{"id": name, "key": name[0], "event_time_s": event_time_s} for name, event_time_s in events]


@pytest.mark.parametrize(
    ("event_time_s", "window_s", "expected"),
    [
        (1009.999, 10, (1000, 1010)),
        (1010.0, 10, (1010, 1020)),  # half-open
        (0.0, 10, (0, 10)),
        (-0.5, 10, (-10, 0)),
        (1000.0, 7, (994, 1001)),
    ],
)
def test_an_event_is_in_the_window_that_starts_at_a_multiple_of_its_size(
    event_time_s: float, window_s: int, expected: tuple[int, int]
) -> None:
    assert window_of(event_time_s, window_s) == expected


def counts(files: list[Any], watermark_s: int = 30) -> tuple[dict[Any, int], int, float]:
    answer = event_time_counts(files, 10, watermark_s)
    return answer.windows, answer.dropped, answer.watermark_s


def test_an_id_is_counted_once_within_a_file_and_across_files() -> None:
    files = [file(("a1", 1003.0), ("a1", 1003.0)), file(("a1", 1003.0), ("a2", 1003.0))]

    assert counts(files) == ({(1000, 1010, "a"): 2}, 0, 973.0)


def test_an_id_is_counted_once_even_with_another_time() -> None:
    assert counts([file(("a1", 1003.0)), file(("a1", 1004.0))])[0] == {(1000, 1010, "a"): 1}


def test_the_order_of_arrival_changes_no_window() -> None:
    one, two, three = file(("a1", 1003.0)), file(("a2", 1010.0)), file(("a3", 1025.0))
    right = {(1000, 1010, "a"): 1, (1010, 1020, "a"): 1, (1020, 1030, "a"): 1}

    assert counts([one, two, three]) == counts([three, two, one]) == counts([two, three, one]) == (right, 0, 995.0)


def test_an_event_whose_window_ends_by_the_watermark_is_dropped() -> None:
    files = [file(("a1", 1100.0)), file(("a2", 1099.0)), file(("l1", 1069.5), ("l2", 1005.0), ("i1", 1071.0))]

    windows, dropped, watermark_s = counts(files)

    assert (dropped, watermark_s) == (2, 1070.0)  # the window [1060, 1070) ends with the watermark
    assert windows == {(1100, 1110, "a"): 1, (1090, 1100, "a"): 1, (1070, 1080, "i"): 1}


def test_the_watermark_never_goes_back() -> None:
    assert counts([file(("a1", 1100.0)), file(("a2", 1080.0)), []])[2] == 1070.0


@pytest.mark.parametrize(
    "last",
    [
        file(("a3", 1070.0)),  # at the watermark: a window counts it, dropping duplicates drops it
        file(("a3", 1005.0)),  # late for this trigger's watermark, but not for that of the trigger before
    ],
)
def test_a_case_on_which_right_solutions_differ_is_rejected(last: list[dict[str, Any]]) -> None:
    with pytest.raises(AmbiguousCase):
        counts([file(("a1", 1100.0)), last])


def test_a_window_is_final_when_the_watermark_has_passed_it() -> None:
    answer = event_time_counts([file(("a1", 1003.0), ("a2", 1041.0))], 10, 30)

    assert answer.closed == {(1000, 1010, "a"): 1}


# The cases


@pytest.mark.parametrize("seed", ["public", "another", "a third"])
def test_no_event_is_counted_by_one_right_solution_and_dropped_by_another(seed: str) -> None:
    for case in cases.arrivals(seed):
        answer = event_time_counts(**case)  # raises AmbiguousCase

        assert len(answer.windows) - len(answer.closed) == 1  # the last file closes every window but its own


def test_windows_that_are_not_final_may_be_present_or_missing() -> None:
    case = cases.arrivals("public")[0]
    windows = [[float(start), float(end), key, n] for (start, end, key), n in event_time_counts(**case).windows.items()]
    final = [row for row in windows if row[1] < 300_000]

    assert len(final) < len(windows)
    for check in CLAIMS:
        for given in (windows, final):
            rows = {"columns": ["start", "end", "key", "count"], "windows": given, "dropped": 0}
            assert check.judge(case, rows) is None
