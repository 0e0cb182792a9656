"""What one person writes at one moment: about what, from where, in which words. Keeps out: the API's JSON shape."""

from dataclasses import dataclass
from random import Random
from typing import Any

from streamlab.sources.tweet_authors import invented
from streamlab.sources.tweet_bursts import Burst, Script
from streamlab.sources.tweet_mix import TweetMix
from streamlab.sources.tweet_trends import Trends
from streamlab.sources.tweet_venues import OTHER_CITIES, VENUES, City, Venue
from streamlab.sources.tweet_words import DECOYS, EMOJI, sentence, short_link, spelt_out_link

SHORT_LIMIT = 140
LONG_LIMIT = 280
TAGS_OF_A_TWEET = (0, 0, 1, 1, 1, 2, 3)
BURST_TAG_SHARE = 0.8  # of the tweets about an event carry its hashtag
AWAY_SHARE = 0.12  # of the tweets about an event, and of those from elsewhere, are about Boston but not from there
DECOY_SHARE = 0.04
LINE_BREAK_SHARE = 0.03


@dataclass(frozen=True)
class Post:
    """What somebody wrote. `where` is the place they name as theirs; `point` lies there, or near by."""

    user: dict[str, Any]
    text: str
    language: str
    where: City | Venue | None
    point: list[float] | None


class Writers:
    """People who post about what happens."""

    def __init__(self, seed: str, script: Script, mix: TweetMix) -> None:
        self._rng = Random(f"{seed}/tweets/texts")
        self._script, self._mix = script, mix
        self._trends = Trends(Random(f"{seed}/tweets/trends"), mix.tag_skew, mix.drift, script.duration_s)
        self._boston, self._elsewhere, self._fillers = invented(seed)
        self._venues = [venue for venue in VENUES for _ in range(venue.weight)]

    def someone(self, in_boston: bool) -> dict[str, Any]:
        """An author."""
        return (self._boston if in_boston else self._elsewhere).pick(self._rng)

    def post(self, at_s: float) -> Post:
        """What somebody writes at this moment of the stream."""
        rng = self._rng
        burst = self._script.burst_at(at_s, rng)
        in_boston = rng.random() < (1 - AWAY_SHARE if burst else self._mix.boston_share)
        venue = burst.venue if burst else rng.choice(self._venues)
        home = venue if in_boston else rng.choice(OTHER_CITIES)
        about = venue if in_boston or burst or rng.random() < AWAY_SHARE else home
        language = "en" if isinstance(about, Venue) else about.language
        text = self._text(at_s, about, burst, language)
        where, point = self._geo(home)
        return Post(self.someone(in_boston), text, language, where, point)

    def _text(self, at_s: float, about: City | Venue, burst: Burst | None, language: str) -> str:
        rng = self._rng
        body = sentence(rng, self._name(about), self._mood(at_s, about, burst), language)
        tags = self._tags(at_s, about, burst)
        if rng.random() < self._mix.long_rate:
            return self._lengthened(body, tags)
        parts = [body, *self._extras(), *tags]
        return " ".join(parts) if rng.random() >= LINE_BREAK_SHARE else "\n".join(parts)

    def _name(self, about: City | Venue) -> str:
        """How the place is called, sometimes as a hashtag, sometimes in one case of letters."""
        drawn = self._rng.random() if isinstance(about, Venue) else 1.0
        if isinstance(about, Venue) and drawn < 0.1:
            return f"#{about.tag}"
        return about.name.lower() if drawn < 0.15 else about.name.upper() if drawn < 0.18 else about.name

    def _mood(self, at_s: float, about: City | Venue, burst: Burst | None) -> float:
        if burst:
            return burst.mood
        return self._script.mood(about, at_s) if isinstance(about, Venue) else 0.0

    def _tags(self, at_s: float, about: City | Venue, burst: Burst | None) -> list[str]:
        rng = self._rng
        tags = [burst.tag] if burst and rng.random() < BURST_TAG_SHARE else []
        if isinstance(about, Venue) and rng.random() < 0.15:
            tags.append(about.tag)
        tags += [self._trends.pick(rng, at_s) for _ in range(rng.choice(TAGS_OF_A_TWEET))]
        return [f"#{self._spelled(tag)}" for tag in tags]

    def _spelled(self, tag: str) -> str:
        """As people write it: mostly as others do."""
        drawn = self._rng.random()
        return tag if drawn < 0.8 else tag.lower() if drawn < 0.93 else tag.upper()

    def _extras(self) -> list[str]:
        rng = self._rng
        drawn = rng.random()
        if drawn < 0.15:
            return [short_link(rng)]
        if drawn < 0.15 + DECOY_SHARE:
            return [rng.choice(DECOYS) if rng.random() < 0.5 else spelt_out_link(rng)]
        return [rng.choice(EMOJI)] if drawn < 0.3 else []

    def _lengthened(self, body: str, tags: list[str]) -> str:
        """More than 140 characters, at most 280; hashtags stand at the end, where a cut loses them."""
        end = "".join(f" {tag}" for tag in tags)
        while len(body) + len(end) <= SHORT_LIMIT:
            body = f"{body}. {self._rng.choice(self._fillers).rstrip('.')}"
        return body[: LONG_LIMIT - len(end)] + end

    def _geo(self, home: City | Venue) -> tuple[City | Venue | None, list[float] | None]:
        rng, mix = self._rng, self._mix
        drawn = rng.random()
        if drawn >= mix.point_rate + mix.box_rate:
            return None, None
        city = home.city if isinstance(home, Venue) else home
        where = home if rng.random() < 0.5 else city
        if drawn >= mix.point_rate:
            return where, None
        return where, (home if rng.random() < 0.8 else city).box.point(rng)
