"""The oracle of tweets, places, hashtags and mentions against examples worked out by hand."""

import random
import re
from typing import Any

import pytest

from autograder.stages.lab02_windows import cases_tweets, oracle_tweets

PLACE = {"name": "p", "west": 0, "south": 0, "east": 10, "north": 5}
ALPHABET = "#&/_aB1é流²٣ \n.http://"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"text": "a"}', "a"),
        ('{"text": " a "}', " a "),
        ('{"text": "a", "full_text": "b"}', "b"),
        ('{"text": "a", "full_text": "b", "extended_tweet": {"full_text": "c"}}', "c"),
        ('{"text": "a", "extended_tweet": null}', "a"),
        ('{"text": "a", "extended_tweet": {}}', "a"),
        ('{"text": "a", "retweeted_status": {}}', None),  # an object, though an empty one
        ('{"text": "a", "retweeted_status": null}', "a"),
        ('{"text": "\ufffd"}', "\ufffd"),
        ('{"text": "a"}\r\n', "a"),
        ("", None),
        ("{", None),
        ('["text"]', None),
        ('"text"', None),
        ("null", None),
        ("[" * 50_000, None),
        ("{}", None),
        ('{"text": null}', None),
        ('{"text": 7}', None),
        ('{"text": " \\u00a0\\n"}', None),
    ],
)
def test_the_text_is_what_the_author_wrote(raw: str, expected: str | None) -> None:
    assert oracle_tweets.tweet_text(raw) == expected


def at(point: Any = None, box: Any = None) -> dict[str, Any]:
    return {
        "coordinates": {"type": "Point", "coordinates": point},
        "place": {"bounding_box": {"type": "Polygon", "coordinates": box}},
    }


@pytest.mark.parametrize(
    ("tweet", "expected"),
    [
        (at([5, 2]), True),
        (at([0, 0]), True),  # edges are inside
        (at([10, 5]), True),
        (at([10.1, 5]), False),
        (at([2, 7]), False),  # latitude comes second
        (at([7, 2]), True),
        (at([20, 2], cases_tweets.ring(1, 1, 2, 2)), False),  # a point decides alone
        (at([5, 2], cases_tweets.ring(20, 20, 30, 30)), True),
        (at(box=cases_tweets.ring(1, 1, 2, 2)), True),
        (at(box=cases_tweets.ring(-5, -5, 20, 20)), True),  # around: no corner is inside
        (at(box=cases_tweets.ring(-5, 1, 20, 2)), True),  # across: no corner is inside, here or there
        (at(box=cases_tweets.ring(10, 5, 12, 7)), True),  # touching at a corner
        (at(box=cases_tweets.ring(11, 0, 12, 5)), False),
        (at(box=cases_tweets.ring(3, 3, 3, 3)), True),
        (at([None, 2], cases_tweets.ring(1, 1, 2, 2)), True),  # an odd point is no point
        (at(["5", "2"]), False),
        (at([5]), False),
        (at([True, True]), False),
        (at(box=[]), False),
        (at(box=[[]]), False),
        (at(box=[[5, 2]]), False),
        ({}, False),
        ({"coordinates": None, "place": None}, False),
        ({"coordinates": [5, 2], "place": "here"}, False),
    ],
)
def test_a_tweet_is_near_by_its_point_and_else_by_its_box(tweet: dict[str, Any], expected: bool) -> None:
    assert oracle_tweets.near(tweet, PLACE) is expected


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
    assert oracle_tweets.hashtags(text) == expected


def test_hashtags_agree_with_a_regular_expression_on_random_texts() -> None:
    chance = random.Random("hashtags")
    texts = ["".join(chance.choices([*ALPHABET, "http://", "https://"], k=chance.randint(0, 14))) for _ in range(5000)]

    for text in texts:
        shown = re.sub(r"https?://\S*", lambda url: " " * len(url[0]), text, flags=re.IGNORECASE)
        tags = [tag.casefold() for tag in re.findall(r"(?<![\w&/#])#(\w+)", shown)]
        assert oracle_tweets.hashtags(text) == [tag for tag in tags if any(map(str.isalpha, tag))], text


# Mentions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Harvard's #1_choice", ["harvard", "s", "1", "choice"]),
        ("", []),
        ("STRASSE straße", ["strasse", "strasse"]),
    ],
)
def test_words_are_runs_of_alphanumerics(text: str, expected: list[str]) -> None:
    assert oracle_tweets.words(text) == expected


def test_mentions_describe_the_texts_that_have_the_name_as_a_word() -> None:
    batches = [["HARVARD is great, great", "bad Harvardians"], ["so sad about Harvard"], ["good"]]

    answers = oracle_tweets.mentions(batches, "Harvard", 2, 1)

    one, other = oracle_tweets.mood(batches[0][0]), oracle_tweets.mood(batches[1][0])
    assert answers[1] == (1, [("great", 2)], one)
    assert answers[2] == (2, [("great", 2), ("sad", 1)], pytest.approx((one + other) / 2))
    assert answers[3] == (1, [("sad", 1)], other)


def test_a_name_does_not_describe_itself() -> None:
    assert oracle_tweets.mentions_in(["hope is good"], "Hope")[1] == [("good", 1)]


def test_nobody_mentioned_has_no_words_and_a_mood_of_zero() -> None:
    assert oracle_tweets.mentions([[], ["good"]], "Harvard", 1, 1) == {1: (0, [], 0.0), 2: (0, [], 0.0)}


def test_moods_are_those_of_the_published_lexicon() -> None:
    assert oracle_tweets.mood("Harvard is great") == 0.6249
    assert oracle_tweets.mood("Harvard is not great") == -0.5096
