"""Tweets as the Twitter API v1.1 streamed them, made from a seed: today nobody gets credentials for the real stream.

`tweets` gives lines as they arrive: most are a JSON object, a tweet; some are not, as on a real connection. The form of
a tweet and where it is documented is told in `tweet_objects`, what else comes in `tweet_faults`. People, events and
hashtags are invented; only the names of the places are real.

Two times belong to a tweet. When it was *written* is in `created_at` (seconds) and `timestamp_ms`; when it *arrives*
is not in it. Lines come in order of arrival.

Equal arguments give equal bytes, on every Python from 3.11 to 3.13 and in every process, as long as faker, which makes
up the people, is the version of the lock. Keeps out: sending them (`tweet_server`), files (`tweet_files`).
"""

from collections.abc import Iterator
from random import Random
from typing import Generic, NamedTuple, TypeVar

from streamlab.sources.tweet_arrivals import Arrivals
from streamlab.sources.tweet_bursts import write_script
from streamlab.sources.tweet_faults import malformed, notice, with_bad_field
from streamlab.sources.tweet_mix import USUAL, TweetMix
from streamlab.sources.tweet_objects import ID_EPOCH_MS, Tweet, retweet_object, to_json, tweet_id, tweet_object
from streamlab.sources.tweet_texts import Writers

START_MS = 1_539_201_600_000  # Wed Oct 10 20:00:00 +0000 2018, the hour of the documentation's example
REMEMBERED = 200  # tweets that may be passed on, come twice or be deleted
SHORTEST_S, LONGEST_S = 0.001, 7 * 86_400.0
LATEST_MS = 3_000_000_000_000  # ids have room for little more

Kept = TypeVar("Kept")


class Arrival(NamedTuple):
    """One line and when it arrives, in milliseconds since 1970."""

    arrival_ms: int
    line: str


def tweets(
    seed: str, count: int, mix: TweetMix = USUAL, *, duration_s: float = 3600.0, start_ms: int = START_MS
) -> Iterator[str]:
    """`count` lines that arrive within `duration_s` seconds from `start_ms` on, in order of arrival.

    `mix` says what they are mixed of; `FLAWLESS` (streamlab.sources.tweet_mix) has nothing but good tweets in order.
    Raises ValueError, when called, for a seed that is no text, a negative count or a duration that cannot be.
    Example: json.loads(next(tweets("demo", 1, FLAWLESS)))["created_at"] -> "Wed Oct 10 20:…:… +0000 2018"
    """
    return (line for _, line in tweet_arrivals(seed, count, mix, duration_s=duration_s, start_ms=start_ms))


def tweet_arrivals(
    seed: str, count: int, mix: TweetMix = USUAL, *, duration_s: float = 3600.0, start_ms: int = START_MS
) -> Iterator[Arrival]:
    """The same lines as `tweets`, each with the time of its arrival: what processing time would show."""
    _refuse_bad(seed, count, duration_s, start_ms)
    return _Stream(seed, mix, duration_s, start_ms).lines(count)


class _Recent(Generic[Kept]):
    """The newest `REMEMBERED` of what was added."""

    def __init__(self) -> None:
        self._kept: list[Kept] = []
        self._added = 0

    def __bool__(self) -> bool:
        return bool(self._kept)

    def __iter__(self) -> Iterator[Kept]:
        return iter(self._kept)

    def add(self, new: Kept) -> None:
        """Keep it in place of the oldest."""
        place = self._added % REMEMBERED
        self._kept[place : place + 1] = [new]
        self._added += 1

    def pick(self, rng: Random) -> Kept:
        """Any of them."""
        return rng.choice(self._kept)


class _Stream:
    """One stream as it is made, line by line."""

    def __init__(self, seed: str, mix: TweetMix, duration_s: float, start_ms: int) -> None:
        self._mix, self._start_ms = mix, start_ms
        script = write_script(Random(f"{seed}/tweets/script"), mix, duration_s)
        self._arrivals = Arrivals(Random(f"{seed}/tweets/arrivals"), script, mix)
        self._writers = Writers(seed, script, mix)
        self._rng = Random(f"{seed}/tweets/kinds")
        self._originals: _Recent[Tweet] = _Recent()
        self._sent: _Recent[str] = _Recent()
        self._number = 0

    def lines(self, count: int) -> Iterator[Arrival]:
        """The lines, in order of arrival."""
        for number, arrival_s in enumerate(self._arrivals.times_s(count)):
            self._number = number
            yield Arrival(self._start_ms + int(arrival_s * 1000), self._line(arrival_s))

    def _line(self, arrival_s: float) -> str:
        mix, drawn = self._mix, self._rng.random()
        if drawn < mix.notice_rate and self._originals:
            arrival_ms = self._start_ms + int(arrival_s * 1000)
            return notice(self._originals.pick(self._rng), arrival_ms, self._number, self._rng)
        drawn -= mix.notice_rate
        if 0 <= drawn < mix.duplicate_rate and self._sent:
            return self._sent.pick(self._rng)
        drawn -= mix.duplicate_rate
        line = to_json(self._tweet(arrival_s))
        if 0 <= drawn < mix.malformed_rate:
            return malformed(line, self._rng)
        self._sent.add(line)
        return line

    def _tweet(self, arrival_s: float) -> Tweet:
        mix, rng, written_s = self._mix, self._rng, self._arrivals.written_s(arrival_s)
        written_ms = self._start_ms + int(written_s * 1000)
        number_id = tweet_id(written_ms, self._number)
        ahead_s = rng.uniform(60, 86_400) if rng.random() < mix.future_rate else 0
        dated_ms = written_ms + int(ahead_s * 1000)
        older = [each for each in self._originals if each["id"] < number_id] if rng.random() < mix.retweet_rate else []
        if older:
            user = self._writers.someone(in_boston=rng.random() < mix.boston_share)
            tweet = retweet_object(rng.choice(older), user, number_id, dated_ms)
        else:
            tweet = tweet_object(self._writers.post(written_s), number_id, dated_ms, rng)
            self._originals.add(tweet)
        return with_bad_field(tweet, rng) if rng.random() < mix.field_fault_rate else tweet


def _refuse_bad(seed: str, count: int, duration_s: float, start_ms: int) -> None:
    if not isinstance(seed, str) or seed != seed.encode(errors="replace").decode():
        raise ValueError(f"seed must be a text that UTF-8 can hold, got {seed!r:.60}")
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ValueError(f"count must be a whole number of lines, 0 or more, got {count!r:.60}")
    if not isinstance(duration_s, (int, float)) or not SHORTEST_S <= duration_s <= LONGEST_S:
        raise ValueError(f"duration_s must be in {SHORTEST_S} … {LONGEST_S:.0f} seconds, got {duration_s!r:.60}")
    if isinstance(start_ms, bool) or not isinstance(start_ms, int) or not ID_EPOCH_MS <= start_ms <= LATEST_MS:
        raise ValueError(f"start_ms must be whole ms since 1970, {ID_EPOCH_MS} … {LATEST_MS}, got {start_ms!r:.60}")
