"""What a stream of tweets is mixed of, as shares. Keeps out: making any of it."""

from dataclasses import dataclass, fields

HIGHEST = {"bursts_per_hour": 1000, "outages": 100}


@dataclass(frozen=True)
class TweetMix:
    """How often each thing happens in a stream of `tweets`. What ends in `_rate` or `_share` is a share, from 0 to 1.

    The defaults are no measurement of Twitter: they are high enough that an hour of some thousand lines shows each
    kind several times, and low enough that most lines are plain tweets.
    Raises ValueError for a share outside 0 … 1, for kinds that add up to more than 1, for a negative or huge number.
    """

    # Shares of all lines. What is left are tweets.
    notice_rate: float = 0.02  # the API's own messages: deletions, limits, empty keep-alive lines
    malformed_rate: float = 0.01  # no JSON object: cut, glued, garbled, control characters
    duplicate_rate: float = 0.02  # one of the last 200 tweets once more, byte for byte
    # Shares of the tweets.
    retweet_rate: float = 0.2
    long_rate: float = 0.12  # over 140 characters: `text` is cut, `extended_tweet.full_text` is whole
    field_fault_rate: float = 0.01  # one field missing, null, or of another type or form than documented
    late_rate: float = 0.05  # arrives `late_min_s` … `late_max_s` after it was written, short delays more often
    future_rate: float = 0.001  # dated a minute to a day ahead
    boston_share: float = 0.6  # from Boston and around; the others come from other cities
    point_rate: float = 0.15  # has an exact point, and a place
    box_rate: float = 0.45  # has a place only
    # Delays, hashtags, events.
    delay_max_s: float = 1.0  # of what is not late: uniform from 0; 0 makes the stream one in order of event time
    late_min_s: float = 5.0
    late_max_s: float = 300.0
    tag_skew: float = 1.1  # at each moment the hashtag of rank r has weight r ** -tag_skew
    drift: float = 1.0  # how far the logarithm of a hashtag's popularity wanders over the stream (standard deviation)
    bursts_per_hour: float = 6.0  # events that make a place, a hashtag and a mood rise; two at Harvard come first
    outages: int = 1  # times at which the tweets of some minutes are held back and then come all at once

    def __post_init__(self) -> None:
        for field in fields(self):
            _refuse_bad(field.name, getattr(self, field.name))
        for names in (("notice_rate", "malformed_rate", "duplicate_rate"), ("point_rate", "box_rate")):
            total = sum(getattr(self, name) for name in names)
            if total > 1:
                raise ValueError(f"{' + '.join(names)} must be at most 1, got {total:g}")
        if not 0 < self.late_min_s <= self.late_max_s:
            raise ValueError(f"late_min_s must be in (0, late_max_s], got {self.late_min_s} and {self.late_max_s}")


def _refuse_bad(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{name} must be a number, got {value!r:.60}")
    if name == "outages" and not isinstance(value, int):
        raise ValueError(f"outages must be a whole number, got {value!r:.60}")
    highest = 1 if name.endswith(("_rate", "_share")) else HIGHEST.get(name, 1_000_000)
    if not 0 <= value <= highest:
        raise ValueError(f"{name} must be in 0 … {highest}, got {value}")


USUAL = TweetMix()
# Nothing but tweets, whole and in order of event time; retweets, long tweets and bursts stay.
FLAWLESS = TweetMix(
    notice_rate=0,
    malformed_rate=0,
    duplicate_rate=0,
    field_fault_rate=0,
    late_rate=0,
    future_rate=0,
    delay_max_s=0,
    outages=0,
)
