"""The schema names each field that is not as documented, with what was expected and what came."""

import json
from typing import Any

import pytest

from streamlab.sources.tweet_mix import FLAWLESS
from streamlab.sources.tweet_schema import line_kind, schema_errors
from streamlab.sources.tweets import tweets

GOOD = json.loads(next(tweets("schema", 1, FLAWLESS)))


def test_a_good_tweet_has_no_errors() -> None:
    assert schema_errors(GOOD) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": 42}, "text: expected a text that is not blank, got 42"),
        ({"text": " "}, "text: expected a text that is not blank, got ' '"),
        ({"created_at": "Wed 10 Oct 2018"}, 'created_at: expected a date like "Wed Oct 10 20:19:24 +0000 2018", got'),
        ({"timestamp_ms": 1}, "timestamp_ms: expected milliseconds since 1970, as a text, got 1"),
        ({"id_str": "1"}, "id_str: expected"),
        ({"truncated": True, "extended_tweet": None}, "extended_tweet: expected the whole text"),
        ({"truncated": None}, "truncated: expected true or false, got None"),
        ({"coordinates": {"type": "Point", "coordinates": [42.3, -171.1]}}, "coordinates: expected a GeoJSON point"),
        ({"coordinates": {"type": "Point", "coordinates": [True, 1]}}, "coordinates: expected a GeoJSON point"),
        ({"place": {"bounding_box": {"type": "Polygon", "coordinates": [[[0, 0]]]}}}, "place: expected"),
        ({"entities": {"hashtags": [], "urls": [], "user_mentions": [{}]}}, "entities: expected"),
        ({"user": {"id": "7"}}, "user: expected"),
        ({"retweeted_status": {"text": "no more"}}, "retweeted_status: expected a tweet"),
    ],
)
def test_a_field_that_is_not_as_documented_is_named(change: dict[str, Any], said: str) -> None:
    (error,) = schema_errors(GOOD | change)

    assert error.startswith(said)


def test_each_missing_field_is_named() -> None:
    errors = schema_errors({})

    assert {error.partition(":")[0] for error in errors} >= {"created_at", "id", "text", "user", "timestamp_ms"}
    assert all(error.endswith("got nothing") for error in errors)


def test_null_counts_as_not_there() -> None:
    optional = dict.fromkeys(("coordinates", "place", "retweeted_status"))

    assert schema_errors(GOOD | {"truncated": False, "extended_tweet": None} | optional) == []


def test_what_is_no_object_is_said() -> None:
    assert schema_errors(["tweet"]) == ["expected an object, got ['tweet']"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('{"text": "x"}', "tweet"),
        ("{}", "tweet"),
        ("", "notice"),
        ('{"delete": {"status": {"id": 1}}}', "notice"),
        ('{"limit": {"track": 1}}', "notice"),
        ('{"limit": 1, "text": "x"}', "tweet"),
        ("  ", "malformed"),
        ("null", "malformed"),
        ('{"text": "cut of', "malformed"),
        ('{"text": "a\x00b"}', "malformed"),
    ],
)
def test_a_line_is_a_tweet_a_notice_or_malformed(line: str, kind: str) -> None:
    assert line_kind(line) == kind
