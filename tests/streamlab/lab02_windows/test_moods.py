"""The lexicon and the moods agree with vaderSentiment; the recorded hour and the moods of its tweets."""

import pytest

from streamlab.lab02_windows.experiments import TimedTweet, moods, recorded_hour
from streamlab.lab02_windows.sentiment import lexicon, mood


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Harvard is great", 0.6249),
        ("Harvard is not great", -0.5096),  # a negation reverses it
        ("Harvard is GREAT", 0.7034),  # capitals amplify
        ("a table", 0.0),
        ("", 0.0),
    ],
)
def test_mood_is_vaders_compound_score(text: str, expected: float) -> None:
    assert mood(text) == expected


def test_the_lexicon_has_a_valence_for_each_word_in_lower_case() -> None:
    assert lexicon()["great"] == 3.1
    assert lexicon()["awful"] == -2.0
    assert not [word for word in lexicon() if word.isalpha() and word != word.casefold()]


def test_the_lexicon_is_read_once() -> None:
    assert lexicon() is lexicon()


def test_no_tweet_of_the_hour_happens_after_it_arrives() -> None:
    hour = recorded_hour()

    assert {each.arrived for each in hour} == set(range(60))
    assert all(each.happened <= each.arrived for each in hour)


def test_a_mood_covers_the_six_minutes_before_its_minute_by_the_clock_that_was_asked_for() -> None:
    hour = [TimedTweet(10, 3, "Harvard is great", {}), TimedTweet(11, 11, "so sad, Harvardians", {})]
    by_arrival, by_event_time = dict(moods(hour, "arrived")), dict(moods(hour, "happened"))

    assert by_arrival[12][0] == by_arrival[16][0] == 1
    assert by_arrival[10] == by_arrival[18] == (0, 0.0)
    assert by_event_time[4][0] == by_event_time[8][0] == 1
    assert by_event_time[12] == (0, 0.0)
    assert by_arrival[12][1] > 0
