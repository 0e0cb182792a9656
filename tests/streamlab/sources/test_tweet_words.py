"""The mood that is put into sentences is the one that vaderSentiment measures."""

from random import Random

import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from streamlab.sources.tweet_objects import entities
from streamlab.sources.tweet_words import BAD, DECOYS, EMOJI, GOOD, PLAIN, sentence, spelt_out_link

ANALYZER = SentimentIntensityAnalyzer()


def mean_mood(mood: float) -> float:
    rng = Random(f"mood {mood}")
    return sum(ANALYZER.polarity_scores(sentence(rng, "Harvard", mood))["compound"] for _ in range(400)) / 400


def test_good_words_are_good_and_bad_words_bad_in_the_lexicon() -> None:
    assert all(ANALYZER.lexicon[word] > 0 for word in GOOD)
    assert all(ANALYZER.lexicon[word] < 0 for word in BAD)
    assert all(word.isalpha() and word == word.casefold() for word in GOOD + BAD)


@pytest.mark.parametrize("plain", PLAIN)
def test_plain_sentences_have_no_mood(plain: str) -> None:
    assert ANALYZER.polarity_scores(plain.format(place="Harvard"))["compound"] == 0


def test_the_better_the_mood_the_better_the_sentences() -> None:
    measured = [mean_mood(mood) for mood in (-1, -0.5, 0, 0.5, 1)]

    assert measured == sorted(measured)
    assert measured[0] < -0.4
    assert abs(measured[2]) < 0.1
    assert measured[4] > 0.4


@pytest.mark.parametrize("decoy", [*DECOYS, *EMOJI, *(spelt_out_link(Random(seed)) for seed in range(5))])
def test_what_only_looks_like_a_hashtag_is_none(decoy: str) -> None:
    assert entities(f"so {decoy} there")["hashtags"] == []
