"""Words and hashtags against examples worked out by hand, and against regular expressions on random texts."""

import random
import re

import pytest

from autograder.checks.texts import hashtags, words

ALPHABET = "#&/_aB1é流²٣ \n.http://'"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("#", []),
        ("#a", ["a"]),
        ("#Straße #STRASSE", ["strasse", "strasse"]),
        ("#b #a #b", ["b", "a", "b"]),
        ("#a-b #go_sox! (#流处理)", ["a", "go_sox", "流处理"]),
        ("#2026 #_ #1st #٣", ["1st"]),
        ("a#b é#b 1#b _#b &#39; /#b ##b", []),
        ("#a#b", ["a"]),
        ("http://x.y/-#a #b", ["b"]),
        ("see:HTTPS://x.y/?(#a\n#b", ["b"]),
        ("http:/-#a", ["a"]),
    ],
)
def test_a_tag_is_a_run_with_a_letter_behind_a_hash_that_begins(text: str, expected: list[str]) -> None:
    assert hashtags(text) == expected


def test_hashtags_agree_with_a_regular_expression_on_random_texts() -> None:
    chance = random.Random("hashtags")
    texts = ["".join(chance.choices([*ALPHABET, "http://", "https://"], k=chance.randint(0, 14))) for _ in range(5000)]

    for text in texts:
        shown = re.sub(r"https?://\S*", lambda url: " " * len(url[0]), text, flags=re.IGNORECASE)
        tags = [tag.casefold() for tag in re.findall(r"(?<![\w&/#])#(\w+)", shown)]
        assert hashtags(text) == [tag for tag in tags if any(map(str.isalpha, tag))], text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rock 'n' roll_call", ["rock", "n", "roll", "call"]),
        ("It's o'clock, 'quoted'", ["it's", "o'clock", "quoted"]),
        ("STRASSE straße 3.5", ["strasse", "strasse", "3", "5"]),
        ("a''b '", ["a", "b"]),
        ("", []),
    ],
)
def test_a_word_is_a_run_of_letters_and_digits_with_the_apostrophes_inside_it(line: str, expected: list[str]) -> None:
    assert words(line) == expected


def test_words_agree_with_a_regular_expression_on_random_texts() -> None:
    chance = random.Random("words")
    for _ in range(2000):
        text = "".join(chance.choices(ALPHABET, k=chance.randint(0, 14)))
        assert words(text) == [word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", text)], text
