"""The time of a payment with few and many rows of state, and the paper's three runs."""

from streamlab.lab06_enrichment.experiments.state_size import PAYMENTS, above_least, paper_runs, payment_ms
from streamlab.lab06_enrichment.histories import EMPTY


def test_each_account_holds_its_share_of_the_rows() -> None:
    held = []

    def step(state, arrived, watermark_ms):
        held.append(len(state.versions))
        return state, []

    times_ms = payment_ms(step, [2000, 20_000])

    assert [total for total, _ in times_ms] == [2000, 20_000]
    assert held == [1] * PAYMENTS + [10] * PAYMENTS


def test_an_account_has_at_least_one_row() -> None:
    assert len(payment_ms(lambda state, arrived, watermark_ms: (EMPTY, []), [1])) == 1


def test_points_are_shown_above_the_least() -> None:
    assert above_least([(1, 7.0), (2, 5.0)]) == [(1, 2.0), (2, 0.0)]


def test_the_runs_of_the_paper_differ_more_with_few_rows_than_more_rows_cost() -> None:
    few, many = ([points[at][1] for points in paper_runs().values()] for at in (0, 1))

    assert max(few) - min(few) == 50
    assert sum(many) / 3 - sum(few) / 3 < 25
