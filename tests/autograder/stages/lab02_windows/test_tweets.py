"""The oracles of tweet texts and places against examples worked out by hand."""

from typing import Any

import pytest

from autograder.stages.lab02_windows.tweets import oracle
from autograder.stages.lab02_windows.tweets.cases import ring

PLACE = {"name": "p", "west": 0, "south": 0, "east": 10, "north": 5}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"text": "a"}', "a"),
        ('{"text": " a "}', " a "),
        ('{"text": "a", "full_text": "b"}', "b"),
        ('{"text": "a", "full_text": "b", "extended_tweet": {"full_text": "c"}}', "c"),
        ('{"text": "a", "extended_tweet": null}', "a"),
        ('{"text": "a", "extended_tweet": {}}', "a"),
        ('{"text": "a", "extended_tweet": {"full_text": null}}', "a"),  # the first that is a string
        ('{"text": "a", "full_text": 7}', "a"),
        ('{"text": "a", "full_text": " "}', None),  # which is blank
        ('{"text": "a", "retweeted_status": {}}', None),  # an object, though an empty one
        ('{"text": "a", "retweeted_status": null}', "a"),
        ('{"text": "a", "retweeted_status": [{}]}', "a"),
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
def test_the_text_is_the_most_complete_one_that_the_author_wrote(raw: str, expected: str | None) -> None:
    assert oracle.tweet_text(raw) == expected


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
        (at([20, 2], ring(1, 1, 2, 2)), False),  # a point decides alone
        (at([5, 2], ring(20, 20, 30, 30)), True),
        (at(box=ring(1, 1, 2, 2)), True),
        (at(box=ring(-5, -5, 20, 20)), True),  # the box surrounds the place: no corner is inside
        (at(box=ring(-5, 1, 20, 2)), True),  # the box crosses the place: neither has a corner inside the other
        (at(box=ring(10, 5, 12, 7)), True),  # touching at a corner
        (at(box=ring(11, 0, 12, 5)), False),
        (at(box=ring(3, 3, 3, 3)), True),
        (at([None, 2], ring(1, 1, 2, 2)), True),  # an invalid point is ignored
        (at(["5", "2"]), False),
        (at([5]), False),
        (at([5, 2, 0]), False),
        (at([True, True]), False),
        (at(box=[]), False),
        (at(box=[[]]), False),
        (at(box=[[5, 2]]), False),
        (at(box=[[[5, 2, 0]]]), False),
        (at(box=[*ring(1, 1, 2, 2), *ring(1, 1, 2, 2)]), False),  # a box has exactly one ring
        ({}, False),
        ({"coordinates": None, "place": None}, False),
        ({"coordinates": [5, 2], "place": "here"}, False),
    ],
)
def test_a_point_decides_whether_a_tweet_is_near_and_without_one_the_box_does(
    tweet: dict[str, Any], expected: bool
) -> None:
    assert oracle.near(tweet, PLACE) is expected
