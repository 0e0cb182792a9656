"""The paper's load generator: percentiles, and latencies without the generator's own wait."""

import pytest

from streamlab.lab06_enrichment.experiments.load_generator import percentile, summary, waits, without_the_wait


@pytest.mark.parametrize(
    ("values", "percent", "expected"), [([1, 2, 3, 4], 50, 2), ([1, 2, 3, 4], 51, 3), ([7], 99, 7), ([3, 1], 100, 3)]
)
def test_a_percentile_is_the_smallest_value_that_so_many_values_do_not_exceed(
    values: list[float], percent: float, expected: float
) -> None:
    assert percentile(values, percent) == expected


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1], 0), ([1], 101)])
def test_a_percentile_of_no_values_or_out_of_range_raises_value_error(values: list[float], percent: float) -> None:
    with pytest.raises(ValueError, match="percent"):
        percentile(values, percent)


def test_five_minutes_of_bursts_use_the_settings_of_the_paper() -> None:
    calls = []

    def note(*arguments: object) -> list[int]:
        calls.append(arguments)
        return [0, 3000]

    assert waits(note, 100) == [0, 3000]
    bursts, *settings = calls[0]
    assert (len(bursts), bursts[1]) == (300, (1000, 100))  # type: ignore[arg-type, index]
    assert settings == [8, 3, 100, 5000]


def test_the_summary_has_median_mean_and_99th_percentile_of_each_setting() -> None:
    rows = summary(lambda bursts, partitions, brokers, enough, linger_ms: [0, 1000 * brokers])

    assert rows[0] == ("as published", 100, 0, 1500, 3000)
    assert [row[4] for row in rows if row[0] == "one broker"] == [1000]


def test_the_wait_is_subtracted_from_both_reported_bounds() -> None:
    assert without_the_wait(3000)["async"] == (298, 417)
