"""The lexicon and the moods agree with vaderSentiment."""

import pytest

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
