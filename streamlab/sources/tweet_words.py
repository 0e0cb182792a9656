"""What people say: sentences with a mood or without one, and what else stands in tweets.

The words for good and bad moods are in vaderSentiment's lexicon, so that a mood put in can be measured again.
Keeps out: who says it, when, and in which mood (`tweet_bursts`).
"""

from random import Random

# Adjectives.
_GOOD = (
    "happy great amazing wonderful beautiful proud brilliant lovely excited delightful inspiring calm cheerful "
    "friendly glad grateful hopeful fantastic excellent charming perfect thrilled relaxed awesome superb"
)
_BAD = (
    "terrible awful sad angry horrible disappointed worried ugly boring lonely tired dreadful annoyed upset gloomy "
    "miserable frustrating scary nervous broken rude tense disappointing depressing"
)
GOOD, BAD = _GOOD.split(), _BAD.split()
# {word} and {other} are two different words of one mood.
MOODY = (
    "{place} is {word} today",
    "feeling {word} about {place}",
    "everyone at {place} seems {word}",
    "{place} looks {word} right now",
    "my day at {place}: {word} and {other}",
    "honestly {word}, {place}",
    "so {word}, so {other}. that was {place}",
    "{word} crowd at {place}, {word} me",
    "{place}? {word}. just {word}",
    "never saw {place} so {word}",
    "back from {place}, still {word}",
)
NEGATED = ("{place} is not {word} today", "they said {place} would be {word}. it isn't {word}")
PLAIN = (
    "waiting for the bus to {place}",
    "on my way to {place}",
    "the lecture at {place} starts at six",
    "when does {place} open tomorrow?",
    "two hours at {place}, then home",
    "walked from {place} to the river",
    "who else is at {place}?",
    "they are painting a door at {place}",
    "took the train to {place} &amp; back",
    "saw three dogs near {place}",
)
# Other languages are written without a mood: the lexicon is English.
FOREIGN = {
    "fr": ("un café à {place}", "le métro de {place}, encore une fois", "il pleut à {place}"),
    "de": ("auf dem Weg nach {place}", "die Straße ist gesperrt in {place}", "heute in {place}"),
    "pt": ("chegando em {place}", "o ônibus para {place}", "manhã em {place}"),
    "ja": ("{place}に着いた", "{place}は雨です", "今日も{place}"),
}
# What only looks like a hashtag or the name of a place, and a letter that was lost on the way.
DECOYS = (
    "we are #1",
    "C# or F#?",
    "R&amp;D",
    "room b#12",
    "# what",
    "&#39;quoted&#39;",
    "#2018",
    "a #️⃣ key",
    "##",
    "harvardsquare exit",
    "caf\ufffd",
)
EMOJI = ("☕", "🎉", "🚲", "🌧️", "👩‍🚀", "😀", "🍂")
LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def sentence(rng: Random, place: str, mood: float, language: str = "en") -> str:
    """A sentence about `place`; the higher `mood` (-1 to 1), the more often a good one and the less often a bad one.

    At mood 0 three in ten are good, three bad and four neither.
    """
    if language != "en":
        return rng.choice(FOREIGN[language]).format(place=place)
    good_share = min(1.0, max(0.0, 0.3 + 0.65 * mood))
    bad_share = min(1.0, max(0.0, 0.3 - 0.65 * mood))
    drawn = rng.random()
    if drawn < good_share:
        return _moody(rng, GOOD, BAD, place)
    if drawn < good_share + bad_share:
        return _moody(rng, BAD, GOOD, place)
    return rng.choice(PLAIN).format(place=place)


def _moody(rng: Random, words: list[str], opposite: list[str], place: str) -> str:
    if rng.random() < 0.05:
        return rng.choice(NEGATED).format(place=place, word=rng.choice(opposite))
    word, other = rng.sample(words, 2)
    return rng.choice(MOODY).format(place=place, word=word, other=other)


def short_link(rng: Random) -> str:
    """A link as the API shortens it."""
    return "https://t.co/" + "".join(rng.choices(LETTERS, k=10))


def spelt_out_link(rng: Random) -> str:
    """A link that nobody shortened, with a fragment: the `#` in it makes no hashtag."""
    return f"{rng.choice(('https', 'http', 'HTTPS'))}://news.example/{rng.randrange(10_000)}#{rng.choice(GOOD)}"
