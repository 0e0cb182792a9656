"""A post becomes the documented object of the API, and a fault breaks exactly one rule."""

import json
import random
from typing import Any

import pytest

from streamlab.lab02_windows import tweet_stream
from streamlab.lab02_windows.tweet_content import BOSTON, VENUES, Post
from streamlab.lab02_windows.tweet_stream import GONE, created_at, entities, notice, retweet_object, to_json, tweets
from streamlab.lab02_windows.tweet_timeline import FLAWLESS
from tests.streamlab.lab02_windows.tweet_schema import line_kind, schema_errors

USER = {"id": 7, "id_str": "7", "name": "Ann", "screen_name": "ann_007"}
AT_MS = 1_539_202_764_123
ID = (AT_MS - tweet_stream.ID_EPOCH_MS) << 22
GOOD_LINES = list(tweets("faults", 60, FLAWLESS))


def tweet(text: str, **how: Any) -> dict[str, Any]:
    return tweet_stream.tweet_object(Post(USER, text, "en", **how), ID, AT_MS, random.Random(0))


def test_the_date_format_is_that_of_the_documentation() -> None:
    assert created_at(1_539_202_764) == "Wed Oct 10 20:19:24 +0000 2018"
    assert created_at(1_538_524_799) == "Tue Oct 02 23:59:59 +0000 2018"


def test_a_short_tweet_has_its_text_in_text_only() -> None:
    short = tweet("x" * 132 + " #Boston")

    assert schema_errors(to_json(short)) == []
    assert (len(short["text"]), short["truncated"], "extended_tweet" in short) == (140, False, False)
    assert (short["id_str"], short["timestamp_ms"]) == (str(short["id"]), str(AT_MS))


def test_a_long_tweet_is_truncated_in_text_and_complete_in_its_extension() -> None:
    whole = "word " * 27 + "#Boston"[:6]  # 141 characters
    long = tweet(whole)

    assert schema_errors(to_json(long)) == []
    assert long["truncated"]
    assert len(long["text"]) == 140
    assert long["text"].startswith(f"{whole[:115]}… https://t.co/")
    assert long["extended_tweet"]["full_text"] == whole
    assert [tag["text"] for tag in long["extended_tweet"]["entities"]["hashtags"]] == ["Bosto"]


def test_a_hashtag_cut_by_the_truncation_is_not_an_entity() -> None:
    long = tweet("x" * 110 + " #HarvardYard and more " + "y" * 40)

    assert "#Har…" in long["text"]
    assert long["entities"]["hashtags"] == []
    assert [url["url"] for url in long["entities"]["urls"]] == [long["text"].split()[-1]]


def test_a_retweet_holds_the_original_without_its_timestamp() -> None:
    original = tweet("at #Harvard")
    retweet = retweet_object(original, USER | {"id": 8}, ID + 1, AT_MS + 1)

    assert schema_errors(to_json(retweet)) == []
    assert retweet["text"] == "RT @ann_007: at #Harvard"
    assert retweet["retweeted_status"] == {key: value for key, value in original.items() if key != "timestamp_ms"}


def test_a_retweet_of_a_long_tweet_and_its_entities_are_truncated_at_140_characters() -> None:
    whole = "x" * 120 + " #FenwayPark" + "y" * 40
    retweet = retweet_object(tweet(whole), USER, ID + 1, AT_MS)

    assert schema_errors(to_json(retweet)) == []
    assert (len(retweet["text"]), retweet["text"][-6:], retweet["truncated"]) == (140, "#Fenw…", False)
    assert retweet["entities"]["hashtags"] == []
    assert retweet["retweeted_status"]["extended_tweet"]["full_text"] == whole


def test_places_and_points_are_geojson_with_longitude_first() -> None:
    in_boston = tweet("x", where=BOSTON)["place"]
    at_harvard = tweet("x", where=VENUES["Harvard"], point=[-71.11, 42.37])
    corners = [[-71.191, 42.227], [-71.191, 42.397], [-70.923, 42.397], [-70.923, 42.227]]

    assert (in_boston["place_type"], in_boston["bounding_box"]["coordinates"]) == ("city", [corners])
    assert at_harvard["coordinates"] == {"type": "Point", "coordinates": [-71.11, 42.37]}
    # The box of a point of interest has no extent.
    assert at_harvard["place"]["place_type"] == "poi"
    assert at_harvard["place"]["bounding_box"]["coordinates"] == [[[-71.119, 42.374]] * 4]


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
def test_only_a_run_with_a_letter_after_a_free_hash_is_a_hashtag(text: str, tags: list[str]) -> None:
    assert [tag["text"] for tag in entities(text)["hashtags"]] == tags


def test_indices_count_code_points_and_are_half_open() -> None:
    text = "👩‍🚀 hi @ann_007 #Boston https://t.co/abc"

    spans = {kind: [text[slice(*each["indices"])] for each in found] for kind, found in entities(text).items()}
    assert spans == {"hashtags": ["#Boston"], "urls": ["https://t.co/abc"], "user_mentions": ["@ann_007"]}


def test_json_is_ascii_on_one_line() -> None:
    line = to_json(tweet("café\n東京"))

    assert line.isascii()
    assert "\n" not in line


@pytest.mark.parametrize(("field", "value"), tweet_stream.BAD_FIELDS)
def test_each_bad_field_breaks_the_schema_of_every_tweet(field: str, value: object) -> None:
    for line in GOOD_LINES:
        bad = json.loads(line) | {field: value}
        if value is GONE:
            del bad[field]

        assert any(error.startswith(field) for error in schema_errors(to_json(bad)))


def test_a_fault_changes_one_field_and_does_not_modify_the_original() -> None:
    good = json.loads(GOOD_LINES[0])
    for seed in range(300):
        bad = tweet_stream.with_bad_field(good, random.Random(seed))

        assert good == json.loads(GOOD_LINES[0])
        assert sum(good.get(field, GONE) != bad.get(field, GONE) for field in good.keys() | bad.keys()) == 1


def test_a_malformed_line_is_never_an_object_and_fails_in_many_ways() -> None:
    rng = random.Random("malformed")
    broken = [tweet_stream.malformed(line, rng) for line in GOOD_LINES for _ in range(20)]
    reasons = set()
    for line in broken:
        try:
            reasons.add(type(json.loads(line)).__name__)
        except ValueError as problem:
            reasons.add(str(problem).partition(":")[0])

    assert {line_kind(line) for line in broken} == {"malformed"}
    assert not any("\n" in line or "\r" in line for line in broken)
    assert {"Unterminated string starting at", "Invalid control character at", "Extra data"} <= reasons
    assert {"list", "NoneType"} <= reasons


def test_notices_have_the_form_of_the_api() -> None:
    rng, deleted = random.Random("notices"), json.loads(GOOD_LINES[0])
    notices = {notice(deleted, AT_MS, 70, rng) for _ in range(100)}

    user = {"user_id": deleted["user"]["id"], "user_id_str": deleted["user"]["id_str"]}
    status = {"id": deleted["id"], "id_str": deleted["id_str"], **user}
    assert "" in notices
    assert [json.loads(each) for each in sorted(notices - {""})] == [
        {"delete": {"status": status, "timestamp_ms": str(AT_MS)}},
        {"limit": {"track": 10, "timestamp_ms": str(AT_MS)}},
    ]
