"""The protocol between a replica and its clients: questions and replies as lines of JSON.

A question has `polygons`, and optionally `since_ms` and `at_least`. The reply has `movers` and `offsets`, or one of
`behind`, `invalid` and `broken` with one line of text. No data from the network is unpickled.
"""

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple, NoReturn

from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp, Polygons

LINE_BYTES = 8_000_000
FIELDS = {"polygons", "since_ms", "at_least"}


class Question(NamedTuple):
    """A question: which movers are inside, by positions since `since_ms`, once the offsets `at_least` are applied?"""

    polygons: Polygons
    since_ms: int | None = None
    at_least: dict[int, int] | None = None


def question_line(question: Question) -> bytes:
    """Return the question as a line; raises ValueError if it cannot be written as JSON."""
    try:
        return json.dumps(question._asdict(), allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as problem:
        raise ValueError(f"the question cannot be written as JSON: {problem}") from None


def read_question(line: bytes) -> Question:
    """Return the question of a line; raises ValueError with a one-line reason if it is invalid.

    Example: read_question(b'{"polygons": [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]}').since_ms -> None
    """
    if len(line) > LINE_BYTES:
        raise ValueError(f"expected a question of at most {LINE_BYTES:,} bytes")
    try:
        question = json.loads(line, parse_constant=_reject)
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"expected a question as one line of JSON: {problem}") from None
    if not isinstance(question, dict) or "polygons" not in question or not set(question) <= FIELDS:
        raise ValueError(f"expected an object with polygons, since_ms and at_least, got {_shown(question)}")
    since_ms = question.get("since_ms")
    if since_ms is not None and type(since_ms) is not int:
        raise ValueError(f"expected since_ms to be a whole number or null, got {_shown(since_ms)}")
    return Question(_polygons(question["polygons"]), since_ms, _offsets("at_least", question.get("at_least")))


def answer_line(answer: Any) -> bytes:
    """Return a replica's answer as a line; raises TypeError if it is not an `Answer` of sorted names and offsets."""
    movers, offsets = getattr(answer, "movers", None), getattr(answer, "offsets", None)
    is_named = isinstance(movers, list) and all(isinstance(mover, str) for mover in movers)
    if not is_named or not isinstance(offsets, Mapping):
        raise TypeError(f"expected within() to return an Answer, got {_shown(answer)}")
    return json.dumps({"movers": movers, "offsets": dict(offsets)}, allow_nan=False).encode() + b"\n"


def error_line(kind: str, problem: BaseException) -> bytes:
    """Return the reply to a question without an answer; `kind` is "behind", "invalid" or "broken"."""
    text = " ".join(str(problem).split())[:500]
    return json.dumps({kind: f"{type(problem).__name__}: {text}" if kind == "broken" else text}).encode() + b"\n"


def read_reply(line: bytes) -> Answer:
    """Return the answer of a line.

    Raises NotCaughtUp or ValueError if the replica did, RuntimeError if its code is broken, and ConnectionError if the
    line is not a reply.
    """
    try:
        reply = json.loads(line)
        if "behind" in reply:
            raise NotCaughtUp(reply["behind"])
        if "broken" in reply:
            raise RuntimeError(f"the replica's code is broken: {reply['broken']}")
        if "movers" in reply:
            return Answer(reply["movers"], _offsets("offsets", reply["offsets"]) or {})
        problem = ValueError(reply["invalid"])
    except (KeyError, TypeError, ValueError):
        raise ConnectionError(f"expected a replica's reply, got {line[:80]!r}") from None
    raise problem


def _polygons(given: Any) -> Polygons:
    shown = _shown(given)
    if not isinstance(given, list) or not given:
        raise ValueError(f"expected polygons to be a list of polygons, got {shown}")
    for polygon in given:
        if not isinstance(polygon, list) or not polygon or not all(isinstance(ring, list) for ring in polygon):
            raise ValueError(f"expected each polygon to be a list of rings, got {shown}")
        for ring in polygon:
            if len(ring) < 4 or not all(_is_place(place) for place in ring):
                raise ValueError(f"expected each ring to have 4 or more places [lon, lat], got {shown}")
    return tuple(tuple(tuple((lon, lat) for lon, lat in ring) for ring in polygon) for polygon in given)


def _is_place(place: Any) -> bool:
    return isinstance(place, list) and len(place) == 2 and all(type(x) in (int, float) and isfinite(x) for x in place)


def _offsets(name: str, given: Any) -> dict[int, int] | None:
    if given is None:
        return None
    try:
        offsets = {int(partition): offset for partition, offset in given.items()}
    except (AttributeError, ValueError):
        raise ValueError(f"expected {name} to map partitions to offsets, got {_shown(given)}") from None
    if not all(type(offset) is int for offset in offsets.values()):
        raise ValueError(f"expected {name} to map partitions to offsets, got {_shown(given)}")
    return offsets


def _reject(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
