"""The right answer of `spark_step`: the rows that leave each bucket in each batch, from the history of a name.

The rows of a name in the order of the engine (time, then the row as JSON with sorted keys) fall into sessions: a new
one begins after a gap of `QUIET_MS`. A row gives its number in the session and a digest of the values so far; a session
gives its length, in the first batch that lasts until its last row + `QUIET_MS`.
"""

import json
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby
from typing import Any

QUIET_MS = 20
Row = dict[str, Any]
Left = list[list[Any]]  # (bucket, row that leaves)


def left_per_step(steps: Sequence[dict[str, Any]]) -> list[Left]:
    """Return, for each step, the rows that leave as [bucket, row], in any order."""
    left: list[Left] = [[] for _ in steps]
    history = [(row["b"], row["name"], row, at) for at, step in enumerate(steps) for row in step["rows"]]
    history.sort(key=lambda each: (each[0], each[1], each[2]["t"], json.dumps(each[2], sort_keys=True)))
    for (bucket, name), rows in groupby(history, key=lambda each: each[:2]):
        for session in _sessions([(row, at) for _, _, row, at in rows]):
            for number, (row, at) in enumerate(session, 1):
                entry = {"name": name, "number": number, "digest_of_order": _digest(session[:number]), "t": row["t"]}
                left[at].append([bucket, entry])
            close_ms = session[-1][0]["t"] + QUIET_MS
            closing = [at for at, step in enumerate(steps) if step["until_ms"] >= close_ms]
            if closing:
                left[closing[0]].append([bucket, {"name": name, "closed": len(session), "t": close_ms - 1}])
    return left


def _sessions(rows: list[tuple[Row, int]]) -> Iterator[list[tuple[Row, int]]]:
    session: list[tuple[Row, int]] = []
    for row, at in rows:
        if session and row["t"] - session[-1][0]["t"] >= QUIET_MS:
            yield session
            session = []
        session.append((row, at))
    if session:
        yield session


def _digest(rows: list[tuple[Row, int]]) -> int:
    return reduce(lambda digest, each: (31 * digest + each[0]["v"]) % 9973, rows, 0)
