"""A post becomes the object that the API documented."""

from random import Random

import pytest

from streamlab.sources.tweet_objects import created_at, entities, retweet_object, to_json, tweet_id, tweet_object
from streamlab.sources.tweet_schema import schema_errors
from streamlab.sources.tweet_texts import Post
from streamlab.sources.tweet_venues import BOSTON, HARVARD

USER = {"id": 7, "id_str": "7", "name": "Ann", "screen_name": "ann_007"}
AT_MS = 1_539_202_764_123


def post(text: str, **how: object) -> Post:
    return Post(**{"user": USER, "text": text, "language": "en", "where": None, "point": None, **how})  # type: ignore[arg-type]


def tweet(text: str, **how: object) -> dict:
    return tweet_object(post(text, **how), tweet_id(AT_MS, 5), AT_MS, Random(0))


def test_the_documentations_own_example_of_a_date() -> None:
    assert created_at(1_539_202_764) == "Wed Oct 10 20:19:24 +0000 2018"


def test_an_id_tells_when_the_tweet_was_written() -> None:
    assert (tweet_id(AT_MS, 5) >> 22) + 1_288_834_974_657 == AT_MS
    assert tweet_id(AT_MS, 5) != tweet_id(AT_MS, 6)


def test_a_short_tweet_stands_in_text_alone() -> None:
    short = tweet("at #Harvard")

    assert schema_errors(short) == []
    assert (short["text"], short["truncated"], "extended_tweet" in short) == ("at #Harvard", False, False)
    assert (short["id_str"], short["timestamp_ms"]) == (str(short["id"]), str(AT_MS))


def test_a_long_tweet_is_cut_in_text_and_whole_in_its_extension() -> None:
    whole = "word " * 30 + "#Harvard"
    long = tweet(whole)

    assert schema_errors(long) == []
    assert long["truncated"]
    assert len(long["text"]) == 140
    assert long["text"].startswith(whole[:110])
    assert "… https://t.co/" in long["text"]
    assert long["extended_tweet"]["full_text"] == whole
    assert [tag["text"] for tag in long["extended_tweet"]["entities"]["hashtags"]] == ["Harvard"]


def test_a_hashtag_that_the_cut_shortens_is_no_entity_of_the_cut_text() -> None:
    long = tweet("x" * 110 + " #HarvardYard and more " + "y" * 40)

    assert "#Har…" in long["text"]
    assert long["entities"]["hashtags"] == []
    assert [url["url"] for url in long["entities"]["urls"]] == [long["text"].split()[-1]]


def test_140_characters_are_not_long_and_141_are() -> None:
    assert not tweet("x" * 140)["truncated"]
    assert tweet("x" * 141)["truncated"]


def test_a_retweet_holds_the_original_without_its_timestamp() -> None:
    original = tweet("at #Harvard")
    retweet = retweet_object(original, USER | {"id": 8}, tweet_id(AT_MS + 1, 6), AT_MS + 1)

    assert schema_errors(retweet) == []
    assert retweet["text"] == "RT @ann_007: at #Harvard"
    assert retweet["retweeted_status"] == {key: value for key, value in original.items() if key != "timestamp_ms"}


def test_a_retweet_of_a_long_tweet_is_cut_at_140_characters() -> None:
    retweet = retweet_object(tweet("word " * 40), USER, tweet_id(AT_MS, 6), AT_MS)

    assert schema_errors(retweet) == []
    assert (len(retweet["text"]), retweet["text"][-1], retweet["truncated"]) == (140, "…", False)
    assert retweet["retweeted_status"]["extended_tweet"]["full_text"] == "word " * 40


def test_a_place_has_a_ring_of_four_corners_longitude_first() -> None:
    (ring,) = tweet("x", where=BOSTON)["place"]["bounding_box"]["coordinates"]

    assert ring == [[-71.191, 42.227], [-71.191, 42.397], [-70.923, 42.397], [-70.923, 42.227]]


def test_the_box_of_a_point_of_interest_has_no_extent() -> None:
    place = tweet("x", where=HARVARD)["place"]

    assert place["place_type"] == "poi"
    assert place["bounding_box"]["coordinates"] == [[[-71.119, 42.374]] * 4]


def test_a_point_is_geojson() -> None:
    at_harvard = tweet("x", where=HARVARD, point=[-71.11, 42.37])

    assert at_harvard["coordinates"] == {"type": "Point", "coordinates": [-71.11, 42.37]}


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#Boston", ["Boston"]),
        ("a #Straße, #東京!", ["Straße", "東京"]),
        ("#100DaysOfCode #movie_night", ["100DaysOfCode", "movie_night"]),
        ("we are #1 in #2018", []),  # digits alone
        ("room b#12 R&amp;D &#39;x&#39; ##twice a/#b", []),
        ("https://news.example/1#boston HTTP://x.example/#y #real", ["real"]),
        ("# alone", []),
    ],
)
def test_what_is_a_hashtag_and_what_only_looks_like_one(text: str, tags: list[str]) -> None:
    assert [tag["text"] for tag in entities(text)["hashtags"]] == tags


def test_indices_count_code_points_and_are_half_open() -> None:
    text = "👩‍🚀 hi @ann_007 #Boston https://t.co/abc"
    found = entities(text)

    for kind in found.values():
        for entity in kind:
            start, end = entity["indices"]
            value = next(each for key, each in entity.items() if key != "indices")
            assert text[start:end].lstrip("#@") == value
    assert [len(kind) for kind in found.values()] == [1, 1, 1]


def test_json_is_ascii_on_one_line() -> None:
    line = to_json(tweet("café\n東京"))

    assert line.isascii()
    assert "\n" not in line
