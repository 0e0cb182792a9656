"""Questions and replies as lines: valid ones survive the round trip, and invalid ones raise clear errors."""

import json

import pytest

from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp
from streamlab.lab08_geofencing.replicas import messages
from streamlab.lab08_geofencing.replicas.messages import Question, answer_line, question_line, read_question, read_reply

RING = [[0, 0], [1, 0], [1, 1], [0, 0]]
SQUARE = ((((0, 0), (1, 0), (1, 1), (0, 0)),),)


@pytest.mark.parametrize("question", [Question(SQUARE), Question(SQUARE, 0, {0: 5, 12: 0}), Question(SQUARE, -7, {})])
def test_a_question_survives_the_round_trip(question: Question) -> None:
    assert read_question(question_line(question)) == question


def test_an_answer_survives_the_round_trip_with_integer_partitions() -> None:
    assert read_reply(answer_line(Answer(["é", "b"], {0: 5, 1: 7}))) == Answer(["é", "b"], {0: 5, 1: 7})


@pytest.mark.parametrize(
    "question",
    [
        b"",
        b"\x80\x04K\x01.",  # a pickle
        b"[" * 100_000,
        b"7",
        b"{}",
        {"polygons": [[RING]], "more": 1},
        {"polygons": []},
        {"polygons": None},
        {"polygons": [[]]},
        {"polygons": [RING]},
        {"polygons": [[RING[:3]]]},
        {"polygons": [[[*RING, [0]]]]},
        {"polygons": [[[*RING, [0, True]]]]},
        {"polygons": [[[*RING, [0, "1"]]]]},
        b'{"polygons": [[[[0, 0], [NaN, 0], [1, 1], [0, 0]]]]}',
        b'{"polygons": [[[[0, 0], [1e999, 0], [1, 1], [0, 0]]]]}',
        {"polygons": [[RING]], "since_ms": 1.5},
        {"polygons": [[RING]], "since_ms": True},
        {"polygons": [[RING]], "at_least": 5},
        {"polygons": [[RING]], "at_least": {"x": 5}},
        {"polygons": [[RING]], "at_least": {"0": None}},
    ],
)
def test_an_invalid_question_raises_one_clear_error(question: object) -> None:
    line = question if isinstance(question, bytes) else json.dumps(question).encode()

    with pytest.raises(ValueError, match=r"^expected ") as problem:
        read_question(line)

    assert "\n" not in str(problem.value)


def test_a_question_that_json_cannot_represent_is_not_sent() -> None:
    with pytest.raises(ValueError, match="cannot be written as JSON"):
        question_line(Question(((((float("nan"), 0.0),) * 4,),)))


@pytest.mark.parametrize(
    ("kind", "error"), [("behind", NotCaughtUp), ("invalid", ValueError), ("broken", RuntimeError)]
)
def test_an_error_of_the_replica_is_raised_in_the_client(kind: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="two lines"):
        read_reply(messages.error_line(kind, OSError("two\nlines")))


@pytest.mark.parametrize("line", [b"", b"HTTP/1.1 200 OK\n", b"{}\n", b"7\n", b'{"movers": ["a"]}\n'])
def test_an_invalid_reply_is_a_connection_error(line: bytes) -> None:
    with pytest.raises(ConnectionError, match="expected a replica's reply"):
        read_reply(line)


@pytest.mark.parametrize("answer", [None, [], ["a"], Answer(("a",), {}), Answer([1], {}), Answer([], None)])  # type: ignore[list-item, arg-type]
def test_only_an_answer_can_be_sent_as_an_answer(answer: object) -> None:
    with pytest.raises(TypeError, match="expected within\\(\\) to return an Answer"):
        answer_line(answer)
