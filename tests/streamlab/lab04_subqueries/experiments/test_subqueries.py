"""Speed-ups are ratios of counted rows; the time per row is that of the operator; the baseline keeps its rows."""

from collections.abc import Sequence

from streamlab.lab04_subqueries.engine import Numbered, Row, TimeWindow
from streamlab.lab04_subqueries.experiments.subqueries import KeepsRows, panes_and_rows, speed_ups, us_per_row


def bucket_by_number(row: Row, fields: Sequence[str], buckets: int) -> int:
    """Return the bucket of the number in "ip7", plus one for each letter of the salt."""
    return (int(row["ip"][2:]) + len(row.get("salt", ""))) % buckets


def all_to_the_last(loads: Sequence[int], owners: Sequence[int], instances: int) -> list[int]:
    return [instances - 1] * len(loads)


def test_a_speed_up_is_all_rows_divided_by_the_rows_of_the_busiest_instance() -> None:
    found = speed_ups(["ip0"] * 3 + ["ip1", "ip2"], 2, bucket_by_number, all_to_the_last)

    assert found["dealt"] == 5 / 4  # ip0 and ip2 have the same owner
    assert found["rebalanced"] == 1
    assert found["bound"] == 5 / 3  # the hottest ip has three of five rows


def test_the_number_of_instances_bounds_the_speed_up_without_a_hot_ip() -> None:
    assert speed_ups([f"ip{number}" for number in range(64)], 4, bucket_by_number)["bound"] == 4


def test_two_choices_share_a_hot_ip_between_two_instances() -> None:
    found = speed_ups(["ip0"] * 10, 4, bucket_by_number)

    assert (found["two choices"], found["bound"]) == (2, 1)


def test_the_time_is_measured_and_each_run_has_a_new_operator() -> None:
    made: list[Numbered] = []

    def make() -> Numbered:
        made.append(Numbered(["k"], "n"))
        return made[-1]

    took_us = us_per_row(make, [{"t": at, "k": "a"} for at in range(100)], runs=2)

    assert took_us > 0
    assert [operator.state for operator in made] == [{("a",): 100}] * 2


def starts_of_two(window: TimeWindow, at: int) -> list[int]:
    """Return the starts of the two windows of 10 ms that hold a time: one starts every 5 ms."""
    return [at // 5 * 5 - 5, at // 5 * 5]


def test_the_baseline_gives_each_window_the_rows_that_it_holds() -> None:
    kept = KeepsRows(starts_of_two, ["ip"], TimeWindow(10, 5), {"n": ("COUNT", "v"), "last": ("LAST_VAL", "v")})
    for t, value in (1, 7), (6, 8):
        kept.on_row({"t": t, "ip": "a", "v": value})

    assert kept.on_time(10) == [{"ip": "a", "n": 1, "last": 7, "t": 4}, {"ip": "a", "n": 2, "last": 8, "t": 9}]
    assert list(kept.state) == [15]


def test_the_comparison_has_a_line_for_each_number_of_windows() -> None:
    found = panes_and_rows(lambda *arguments: Numbered(["ip"], "n"), lambda window, at: [0], windows_a_row=[1, 3])

    assert [(number, ratio > 0) for number, *_, ratio in found] == [(1, True), (3, True)]
