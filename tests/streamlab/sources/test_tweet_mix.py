"""A mix that cannot be meant is refused with what was expected and what came."""

from typing import Any

import pytest

from streamlab.sources.tweet_mix import FLAWLESS, USUAL, TweetMix


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"late_rate": 1.5}, "late_rate must be in 0 … 1, got 1.5"),
        ({"retweet_rate": -0.1}, "retweet_rate must be in 0 … 1"),
        ({"boston_share": float("nan")}, "boston_share must be in 0 … 1, got nan"),
        ({"future_rate": "often"}, "future_rate must be a number, got 'often'"),
        ({"long_rate": True}, "long_rate must be a number"),
        ({"notice_rate": 0.5, "malformed_rate": 0.4, "duplicate_rate": 0.2}, "must be at most 1, got 1.1"),
        ({"point_rate": 0.6, "box_rate": 0.6}, "point_rate [+] box_rate must be at most 1"),
        ({"late_min_s": 10, "late_max_s": 5}, "late_min_s must be in"),
        ({"late_min_s": 0}, "late_min_s must be in"),
        ({"drift": -1}, "drift must be in 0 … 1000000, got -1"),
        ({"bursts_per_hour": float("inf")}, "bursts_per_hour must be in 0 … 1000, got inf"),
        ({"outages": 101}, "outages must be in 0 … 100, got 101"),
        ({"outages": 1.5}, "outages must be a whole number"),
    ],
)
def test_a_mix_that_cannot_be_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TweetMix(**arguments)


def test_a_mix_may_hold_one_kind_of_line_only() -> None:
    assert TweetMix(notice_rate=1, malformed_rate=0, duplicate_rate=0).notice_rate == 1


def test_the_flawless_mix_keeps_what_is_no_flaw() -> None:
    assert (FLAWLESS.malformed_rate, FLAWLESS.late_rate, FLAWLESS.outages) == (0, 0, 0)
    assert (FLAWLESS.retweet_rate, FLAWLESS.long_rate) == (USUAL.retweet_rate, USUAL.long_rate)
