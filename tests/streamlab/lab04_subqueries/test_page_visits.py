"""Visits are repeatable, in time order, and as skewed as requested; hashes are stable and spread."""

from collections import Counter
from typing import Any

import pytest

from streamlab.lab04_subqueries import hash64
from streamlab.lab04_subqueries.page_visits import visits


def test_equal_arguments_give_equal_visits_and_another_seed_other_visits() -> None:
    assert visits(1, 50) == visits(1, 50) != visits(2, 50)


def test_visits_are_in_time_order_at_about_the_requested_rate() -> None:
    times = [row["t"] for row in visits(1, 2000, rate_per_s=100)]

    assert times == sorted(times)
    assert times[-1] == pytest.approx(20_000, rel=0.1)


@pytest.mark.parametrize(("zipf", "share"), [(0, 1 / 100), (1, 1 / 5.19), (2, 1 / 1.635)])
def test_the_share_of_the_hottest_address_follows_zipfs_law(zipf: float, share: float) -> None:
    counts = Counter(row["ip"] for row in visits(1, 20_000, zipf=zipf, ips=100))

    assert counts.most_common(1)[0][1] / 20_000 == pytest.approx(share, rel=0.25)


@pytest.mark.parametrize("wrong", [{"rows": -1}, {"rate_per_s": 0}, {"zipf": -1}, {"ips": 0}])
def test_invalid_arguments_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected rows >= 0"):
        visits(1, **{"rows": 1, **wrong})


def test_a_value_has_the_same_hash_in_every_process() -> None:
    assert hash64("stream") == 15827570557234871424


def test_a_number_and_its_text_have_different_hashes() -> None:
    assert hash64(1) != hash64("1")


def test_hashes_of_numbers_in_a_row_are_spread_over_the_range() -> None:
    rows = Counter(hash64(number) >> 61 for number in range(8000))

    assert min(rows.values()) > 900
