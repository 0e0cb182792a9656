"""Each fault is one: a bad field breaks the schema, a broken line is no JSON object, a notice is the API's."""

import json
from random import Random

import pytest

from streamlab.sources.tweet_faults import BAD_FIELDS, GONE, malformed, notice, with_bad_field
from streamlab.sources.tweet_mix import FLAWLESS
from streamlab.sources.tweet_schema import line_kind, schema_errors
from streamlab.sources.tweets import tweets

LINES = list(tweets("faults", 300, FLAWLESS))


@pytest.mark.parametrize(("field", "value"), BAD_FIELDS)
def test_each_bad_field_breaks_the_schema_of_every_tweet(field: str, value: object) -> None:
    for line in LINES:
        tweet = json.loads(line)
        tweet.pop(field, None)
        if value is not GONE:
            tweet[field] = value

        assert any(error.startswith(field) for error in schema_errors(tweet))


def test_a_fault_is_in_one_field_and_leaves_the_tweet_that_it_came_from_as_it_was() -> None:
    tweet = json.loads(LINES[0])
    faulty = [with_bad_field(tweet, Random(seed)) for seed in range(300)]

    assert tweet == json.loads(LINES[0])
    for each in faulty:
        changed = {field for field in tweet.keys() | each.keys() if tweet.get(field, GONE) != each.get(field, GONE)}
        assert len(changed) == 1


def test_a_malformed_line_is_never_an_object_and_always_one_line() -> None:
    rng = Random("malformed")
    broken = [malformed(line, rng) for line in LINES for _ in range(10)]

    assert {line_kind(line) for line in broken} == {"malformed"}
    assert not any("\n" in line or "\r" in line for line in broken)
    assert all(line.encode() for line in broken)


def test_lines_break_in_many_ways() -> None:
    rng = Random("ways")
    reasons = set()
    for line in LINES * 5:
        try:
            reasons.add(type(json.loads(malformed(line, rng))).__name__)
        except ValueError as problem:
            reasons.add(str(problem).partition(":")[0])

    assert reasons >= {
        "Unterminated string starting at",
        "Invalid control character at",
        "Extra data",
        "list",
        "NoneType",
    }


def test_notices_are_those_of_the_api() -> None:
    rng, tweet = Random("notices"), json.loads(LINES[0])
    notices = {notice(tweet, 1_539_202_764_000, 70, rng) for _ in range(100)}

    user = {"user_id": tweet["user"]["id"], "user_id_str": tweet["user"]["id_str"]}
    status = {"id": tweet["id"], "id_str": tweet["id_str"], **user}
    assert "" in notices
    assert [json.loads(each) for each in sorted(notices - {""})] == [
        {"delete": {"status": status, "timestamp_ms": "1539202764000"}},
        {"limit": {"track": 10, "timestamp_ms": "1539202764000"}},
    ]
