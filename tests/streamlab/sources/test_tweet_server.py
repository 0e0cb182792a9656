"""The server collects, cleans and transmits, as the Twitter client of the slides does."""

import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from streamlab import TweetServer, recorded_tweets, tweets
from streamlab.sources.tweet_mix import FLAWLESS

DEADLINE_S = 20.0


def text_of(line: str) -> str | None:
    """Clean nearly as simply as the slides do."""
    try:
        text = json.loads(line)["text"]
    except (ValueError, KeyError, TypeError):
        return None
    return text if isinstance(text, str) else None


def received(server: TweetServer) -> list[str]:
    """All that a client reads."""
    with (
        socket.create_connection((server.host, server.port), timeout=DEADLINE_S) as client,
        client.makefile("rb") as file,
    ):
        server.wait_done(DEADLINE_S)
        server.close()
        return [line.decode().removesuffix("\n") for line in file]


def test_without_cleaning_every_line_is_sent_as_it_is() -> None:
    lines = list(tweets("raw", 300))

    with TweetServer(lines) as server:
        assert received(server) == lines
        assert (server.collected, server.discarded, server.report().sent) == (300, 0, 300)


def test_what_cleaning_gives_is_sent_and_what_it_refuses_is_counted() -> None:
    lines = ['{"text": "one"}', "no json", '{"text": "two"}', "{}"]

    with TweetServer(lines, clean=text_of) as server:
        assert received(server) == ["one", "two"]
        assert (server.collected, server.discarded) == (4, 2)


def test_one_tweet_is_one_line_whatever_is_in_its_text() -> None:
    lines = [json.dumps({"text": text}) for text in ("a\nb\r\n\nc", "d\re", "half a pair: \ud83d", "\u2028", "")]

    with TweetServer(lines, clean=text_of) as server:
        assert received(server) == ["a b c", "d e", "half a pair: \ufffd", "\u2028", ""]


def test_tweets_are_played_at_the_rate_that_was_set() -> None:
    with TweetServer(tweets("rate", 51, FLAWLESS), rate_per_s=250, clean=text_of) as server:
        started_s = time.monotonic()
        lines = received(server)

        assert len(lines) == 51
        assert time.monotonic() - started_s >= 50 / 250


def test_the_recorded_hour_can_be_played() -> None:
    with TweetServer(recorded_tweets(), clean=text_of) as server:
        lines = received(server)

    assert server.collected == 6000
    assert len(lines) == 6000 - server.discarded > 5500


def test_a_stream_without_tweets_is_done_at_once() -> None:
    with TweetServer([]) as server:
        assert received(server) == []


def test_what_cleaning_raises_is_told_with_the_line_that_it_was_called_for() -> None:
    def careless(line: str) -> str:
        return json.loads(line)["text"]

    server = TweetServer(['{"text": "one"}', '{"delete": 1}'], clean=careless)
    with pytest.raises(KeyError) as raised, server:
        received(server)

    assert raised.value.__notes__[0] == """raised by careless for the line '{"delete": 1}'"""


def test_cleaning_that_gives_no_text_is_told() -> None:
    with (
        pytest.raises(ValueError, match=r"loads must give a text or None, got \{\} for the line"),
        TweetServer(["{}"], clean=json.loads) as server,
    ):
        received(server)


def test_a_source_that_breaks_is_told_to_whoever_waits() -> None:
    def breaks() -> Iterator[str]:
        yield "one"
        raise ValueError("tweets.gz is broken after line 1")

    with pytest.raises(ValueError, match="broken after line 1"), TweetServer(breaks()) as server:
        received(server)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tweets": "one string"}, "pass lines"),
        ({"loop": True}, "loop is not for tweets"),
        ({"rate_per_s": 0}, "rate_per_s must be a positive number"),
    ],
)
def test_an_argument_that_cannot_be_meant_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TweetServer(**{"tweets": ["a"], **arguments})
