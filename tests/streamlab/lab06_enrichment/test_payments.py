"""Payments and log lines are the same for equal seeds, and have their documented shares."""

from collections import Counter

import pytest

from streamlab.lab06_enrichment.log_lines import LABELS, SERVICES, log_lines
from streamlab.lab06_enrichment.payments import ITEMS_EACH, UNKNOWN_SHARES, bank


def test_equal_seeds_give_equal_payments_and_changes() -> None:
    first, again, other = bank("a", 50), bank("a", 50), bank("b", 50)

    assert first.payments(100) == again.payments(100)
    assert first.changes(20, 1000) == again.changes(20, 1000)
    assert first.payments(100) != other.payments(100)


def test_each_kind_is_unknown_in_its_share_and_every_combination_occurs() -> None:
    made = bank("shares", 200)
    unknown = [tuple(key not in made.rows for key in each.keys) for each in made.payments(20_000)]

    shares = [sum(each[at] for each in unknown) / len(unknown) for at in range(3)]
    assert shares == pytest.approx(UNKNOWN_SHARES, abs=0.01)
    assert len(Counter(unknown)) == 8


def test_each_account_has_the_same_number_of_rows_of_each_kind() -> None:
    made = bank("rows", 7)

    assert len(made.rows) == 7 * 3 * ITEMS_EACH
    assert {key.account for key in made.rows} == set(made.accounts)


def test_times_follow_the_rate_and_ids_are_unique() -> None:
    payments = bank("times", 3).payments(50, rate_per_s=20, begin_ms=1000)

    assert [each.at_ms for each in payments] == [1000 + 50 * at for at in range(50)]
    assert len({each.id for each in payments}) == 50


def test_skew_makes_a_few_accounts_busy() -> None:
    def busiest(skew: float) -> int:
        return Counter(each.account for each in bank("skew", 100, skew).payments(5000)).most_common(1)[0][1]

    assert busiest(0.0) < 100 < 700 < busiest(1.0)


def test_changes_concern_known_rows_in_time_order_and_some_are_removals() -> None:
    made = bank("changes", 5)
    changes = made.changes(40, until_ms=1000)

    times = [each.version.at_ms for each in changes]
    assert times == sorted(times)
    assert 0 <= times[0] <= times[-1] < 1000
    assert {each.key for each in changes} <= made.rows.keys()
    assert [each.version.row is None for each in changes] == [at % 4 == 3 for at in range(40)]


@pytest.mark.parametrize(
    "call",
    [
        lambda: bank("x", 0),
        lambda: bank("x", 1, -0.1),
        lambda: bank("x", 1).payments(-1),
        lambda: bank("x", 1).payments(1, rate_per_s=0),
        lambda: bank("x", 1).changes(1, 0),
    ],
)
def test_invalid_arguments_are_rejected(call) -> None:
    with pytest.raises(ValueError, match="expected"):
        call()


def test_equal_seeds_give_equal_lines_and_other_seeds_other_lines() -> None:
    assert log_lines("a", 50) == log_lines("a", 50) != log_lines("b", 50)


def test_every_service_writes_lines_and_labels_have_their_shares() -> None:
    lines = log_lines("shares", 10_000)

    labels = Counter(line.label for line in lines)
    assert {line.service for line in lines} == set(SERVICES)
    assert [labels[label] / 10_000 for label in LABELS] == pytest.approx([0.80, 0.08, 0.12], abs=0.02)
    assert not any("{" in line.content for line in lines)
