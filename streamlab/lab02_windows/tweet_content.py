"""The content of tweets: author, place, words, and position.

Locations are rough rectangles, accurate to about 100 m for venues and 1 km for cities: enough to ask what lies in one.
Two cities are called Cambridge. The words for moods are in vaderSentiment's lexicon, so that a program can measure the
mood that a sentence was made with.
"""

from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from random import Random
from typing import Any

from streamlab.lab02_windows.tweet_timeline import Burst, Script, Trends, TweetMix

SHORT_LIMIT, LONG_LIMIT = 140, 280
TAGS_OF_A_TWEET = (0, 0, 1, 1, 1, 2, 3)
BURST_TAG_SHARE = 0.8  # share of the tweets about an event that carry its hashtag
AWAY_SHARE = 0.12  # share of tweets about an event, and of tweets from elsewhere, about Boston but not from there
LINE_BREAK_SHARE, NEGATED_SHARE = 0.03, 0.05
AUTHORS = 400  # in Boston, and as many elsewhere; the author of rank r writes with weight r ** -0.7
AUTHOR_WEIGHTS = list(accumulate(rank**-0.7 for rank in range(1, AUTHORS + 1)))
FILLERS = 300


@dataclass(frozen=True)
class Location:
    """A city, or a venue `within` one. `box` is (west, south, east, north) in degrees."""

    name: str
    full_name: str
    box: tuple[float, float, float, float]
    country: str = "United States"
    country_code: str = "US"
    language: str = "en"  # the language in which most people write there
    within: "Location | None" = None
    tag: str = ""  # the hashtag of a venue

    @property
    def city(self) -> "Location":
        """The city itself, or a venue's city."""
        return self.within or self

    def point(self, rng: Random) -> list[float]:
        """Draw a point inside, in GeoJSON's order: [longitude, latitude]."""
        west, south, east, north = self.box
        return [round(rng.uniform(west, east), 6), round(rng.uniform(south, north), 6)]


BOSTON = Location("Boston", "Boston, MA", (-71.191, 42.227, -70.923, 42.397))
CAMBRIDGE = Location("Cambridge", "Cambridge, MA", (-71.16, 42.352, -71.064, 42.404))
# The venues of the timeline's NEWS, each with its weight: how often people write about it, relative to the others.
_IN_CAMBRIDGE, _IN_BOSTON = partial(Location, within=CAMBRIDGE), partial(Location, within=BOSTON)
_VENUES = (
    (6, _IN_CAMBRIDGE("Harvard", "Harvard University", (-71.128, 42.365, -71.11, 42.383), tag="Harvard")),
    (4, _IN_CAMBRIDGE("MIT", "Massachusetts Institute of Technology", (-71.103, 42.354, -71.08, 42.364), tag="MIT")),
    (4, _IN_BOSTON("Fenway", "Fenway Park", (-71.099, 42.345, -71.095, 42.348), tag="FenwayPark")),
    (3, _IN_BOSTON("Logan", "Logan International Airport", (-71.033, 42.347, -70.99, 42.377), tag="Logan")),
    (3, _IN_BOSTON("the Common", "Boston Common", (-71.07, 42.352, -71.062, 42.358), tag="BostonCommon")),
    (2, _IN_BOSTON("South Station", "South Station", (-71.057, 42.35, -71.053, 42.354), tag="SouthStation")),
    (2, _IN_BOSTON("the Seaport", "Seaport District", (-71.053, 42.344, -71.033, 42.353), tag="Seaport")),
    (4, _IN_BOSTON("Boston", "Boston", BOSTON.box, tag="Boston")),
)
WEIGHTED_VENUES = [venue for weight, venue in _VENUES for _ in range(weight)]
VENUES = {venue.name: venue for venue in WEIGHTED_VENUES}
OTHER_CITIES = (
    Location("New York", "Manhattan, NY", (-74.027, 40.684, -73.91, 40.877)),
    Location("London", "London, England", (-0.51, 51.287, 0.334, 51.692), "United Kingdom", "GB"),
    Location("Cambridge", "Cambridge, England", (0.069, 52.158, 0.184, 52.237), "United Kingdom", "GB"),
    Location("Paris", "Paris, France", (2.224, 48.816, 2.47, 48.902), "France", "FR", "fr"),
    Location("Berlin", "Berlin, Germany", (13.088, 52.338, 13.761, 52.675), "Germany", "DE", "de"),
    Location("São Paulo", "São Paulo, Brazil", (-46.826, -24.009, -46.365, -23.356), "Brazil", "BR", "pt"),
    Location("東京", "東京, 日本", (138.943, 35.501, 139.919, 35.898), "Japan", "JP", "ja"),
)

_GOOD = (
    "happy great amazing wonderful beautiful proud brilliant lovely excited delightful inspiring calm cheerful "
    "friendly glad grateful hopeful fantastic excellent charming perfect thrilled relaxed awesome superb"
)
_BAD = (
    "terrible awful sad angry horrible disappointed worried ugly boring lonely tired dreadful annoyed upset gloomy "
    "miserable frustrating scary nervous broken rude tense disappointing depressing"
)
# {word} and {other} are two different words of one mood.
_MOODY = (
    "{place} is {word} today|feeling {word} about {place}|everyone at {place} seems {word}|"
    "{place} looks {word} right now|my day at {place}: {word} and {other}|honestly {word}, {place}|"
    "so {word}, so {other}. that was {place}|{word} crowd at {place}, {word} me|{place}? {word}. just {word}|"
    "never saw {place} so {word}|back from {place}, still {word}"
)
_NEGATED = "{place} is not {word} today|they said {place} would be {word}. it isn't {word}"
_PLAIN = (
    "waiting for the bus to {place}|on my way to {place}|the lecture at {place} starts at six|"
    "when does {place} open tomorrow?|two hours at {place}, then home|walked from {place} to the river|"
    "who else is at {place}?|they are painting a door at {place}|took the train to {place} &amp; back|"
    "saw three dogs near {place}"
)
# Sentences in other languages have no mood: the lexicon is English.
FOREIGN = {
    "fr": ("un café à {place}", "le métro de {place}, encore une fois", "il pleut à {place}"),
    "de": ("auf dem Weg nach {place}", "die Straße ist gesperrt in {place}", "heute in {place}"),
    "pt": ("chegando em {place}", "o ônibus para {place}", "manhã em {place}"),
    "ja": ("{place}に着いた", "{place}は雨です", "今日も{place}"),
}
# Texts that only look like a hashtag or the name of a place, and one with a letter that was lost in transmission.
_DECOYS = "we are #1|C# or F#?|R&amp;D|room b#12|# what|&#39;quoted&#39;|#2018|a #️⃣ key|##|harvardsquare exit|caf\ufffd"
GOOD, BAD = _GOOD.split(), _BAD.split()
MOODY, NEGATED, PLAIN, DECOYS = (phrases.split("|") for phrases in (_MOODY, _NEGATED, _PLAIN, _DECOYS))
EMOJI = ("☕", "🎉", "🚲", "🌧️", "👩‍🚀", "😀", "🍂")
SCHEMES = ("https", "http", "HTTPS")
LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def sentence(rng: Random, place: str, mood: float, language: str = "en") -> str:
    """Draw a sentence about `place`: the higher `mood` (-1 to 1), the more often a good and the less often a bad one.

    At mood 0, three in ten sentences are good, three are bad and four are neutral.
    """
    if language != "en":
        return rng.choice(FOREIGN[language]).format(place=place)
    good_share, bad_share = (min(1.0, max(0.0, 0.3 + 0.65 * each)) for each in (mood, -mood))
    drawn = rng.random()
    if drawn >= good_share + bad_share:
        return rng.choice(PLAIN).format(place=place)
    words, opposite = (GOOD, BAD) if drawn < good_share else (BAD, GOOD)
    if rng.random() < NEGATED_SHARE:
        return rng.choice(NEGATED).format(place=place, word=rng.choice(opposite))
    word, other = rng.sample(words, 2)
    return rng.choice(MOODY).format(place=place, word=word, other=other)


def short_link(rng: Random) -> str:
    """Draw a link as the API shortens it."""
    return "https://t.co/" + "".join(rng.choices(LETTERS, k=10))


def _user(rng: Random, fake: Any, location: str) -> dict[str, Any]:
    number = rng.randrange(10_000_000, 1_000_000_000)
    return {
        "id": number,
        "id_str": str(number),
        "name": fake.name(),
        "screen_name": f"{fake.user_name()[:11]}_{rng.randrange(1000):03}",
        "location": location if rng.random() < 0.7 else None,
        "verified": rng.random() < 0.02,
        "followers_count": int(10 / (1 - rng.random()) ** 0.8),
        "friends_count": rng.randrange(2000),
        "statuses_count": rng.randrange(1, 50_000),
        "created_at": f"Mon Mar {rng.choice((1, 8, 15, 22)):02} 12:00:{rng.randrange(60):02} +0000 2010",
        "lang": None,
    }


@dataclass(frozen=True)
class Post:
    """A text and its author. `where` is the location that the author gives; `point` lies there or nearby."""

    user: dict[str, Any]
    text: str
    language: str
    where: Location | None = None
    point: list[float] | None = None


class Writers:
    """Invented people who post about the events. faker invents their names."""

    def __init__(self, seed: str, script: Script, mix: TweetMix) -> None:
        from faker import Faker

        self._rng = Random(f"{seed}/tweets/texts")
        self._script, self._mix = script, mix
        self._trends = Trends(Random(f"{seed}/tweets/trends"), mix, script.duration_s)
        rng, fake = Random(f"{seed}/tweets/authors"), Faker("en_US")
        fake.seed_instance(f"{seed}/tweets/people")
        self._boston = [_user(rng, fake, "Boston, MA") for _ in range(AUTHORS)]
        self._elsewhere = [_user(rng, fake, fake.city()) for _ in range(AUTHORS)]
        self._fillers = [fake.sentence() for _ in range(FILLERS)]

    def someone(self, in_boston: bool) -> dict[str, Any]:
        """Draw an author, as the API's `user`. Tweets share it: do not change it."""
        return self._rng.choices(self._boston if in_boston else self._elsewhere, cum_weights=AUTHOR_WEIGHTS)[0]

    def post(self, at_s: float) -> Post:
        """Draw a post at this time of the stream."""
        rng = self._rng
        burst = self._script.burst_at(at_s, rng)
        in_boston = rng.random() < (1 - AWAY_SHARE if burst else self._mix.boston_share)
        venue = VENUES[burst.venue] if burst else rng.choice(WEIGHTED_VENUES)
        home = venue if in_boston else rng.choice(OTHER_CITIES)
        about = venue if in_boston or burst or rng.random() < AWAY_SHARE else home
        text = self._text(at_s, about, burst)
        where, point = self._position(home)
        return Post(self.someone(in_boston), text, about.language, where, point)

    def _text(self, at_s: float, about: Location, burst: Burst | None) -> str:
        rng = self._rng
        name = self._name(about)
        mood = burst.mood if burst else self._script.mood(about.name, at_s) if about.tag else 0.0
        body = sentence(rng, name, mood, about.language)
        tags = self._tags(at_s, about, burst)
        if rng.random() < self._mix.long_rate:
            return self._lengthened(body, "".join(f" {tag}" for tag in tags))
        parts = [body, *self._extras(), *tags]
        return " ".join(parts) if rng.random() >= LINE_BREAK_SHARE else "\n".join(parts)

    def _name(self, about: Location) -> str:
        """Draw the name of a location in a text: for a venue sometimes its hashtag, or all in lower or upper case."""
        names = (f"#{about.tag}", about.name.lower(), about.name.upper(), about.name)
        return self._rng.choices(names, cum_weights=(0.1, 0.15, 0.18, 1))[0] if about.tag else about.name

    def _tags(self, at_s: float, about: Location, burst: Burst | None) -> list[str]:
        rng = self._rng
        tags = [burst.tag] if burst and rng.random() < BURST_TAG_SHARE else []
        if about.tag and rng.random() < 0.15:
            tags.append(about.tag)
        tags += [self._trends.pick(rng, at_s) for _ in range(rng.choice(TAGS_OF_A_TWEET))]
        spellings = [(f"#{tag}", f"#{tag.lower()}", f"#{tag.upper()}") for tag in tags]
        return [rng.choices(each, cum_weights=(0.8, 0.93, 1))[0] for each in spellings]

    def _extras(self) -> list[str]:
        rng = self._rng
        drawn = rng.random()
        if drawn < 0.15:
            return [short_link(rng)]
        if drawn < 0.19:
            if rng.random() < 0.5:
                return [rng.choice(DECOYS)]
            # A link that was not shortened. The `#` in it does not begin a hashtag.
            return [f"{rng.choice(SCHEMES)}://news.example/{rng.randrange(10_000)}#{rng.choice(GOOD)}"]
        return [rng.choice(EMOJI)] if drawn < 0.3 else []

    def _lengthened(self, body: str, end: str) -> str:
        """Return a text of 141 to 280 characters; its hashtags are at the end, where truncation loses them."""
        while len(body) + len(end) <= SHORT_LIMIT:
            body = f"{body}. {self._rng.choice(self._fillers).rstrip('.')}"
        return body[: LONG_LIMIT - len(end)] + end

    def _position(self, home: Location) -> tuple[Location | None, list[float] | None]:
        rng, mix = self._rng, self._mix
        drawn = rng.random()
        if drawn >= mix.point_rate + mix.box_rate:
            return None, None
        where = home if rng.random() < 0.5 else home.city
        if drawn >= mix.point_rate:
            return where, None
        return where, (home if rng.random() < 0.8 else home.city).point(rng)
