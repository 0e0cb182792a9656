"""The rows that leave an inbox, and the results of a query in one place, both from the definition.

After each message, all messages are evaluated again; operators run one after another over all rows.
"""

import json
from typing import Any

END_MS = 1 << 62
REJECTED = "ValueError"

Row = dict[str, Any]
Arrival = list[Any]  # t, value, stream


def in_order(arrivals: list[Arrival]) -> list[Arrival]:
    """Return the arrivals ordered by time, then by content, then by stream."""
    return sorted(
        arrivals, key=lambda each: (each[0], json.dumps({"t": each[0], "v": each[1]}, sort_keys=True), each[2])
    )


def answers(case: dict[str, Any]) -> list[Any]:
    """Return, for each message, the rows that leave and the promise after it; REJECTED for an impossible one."""
    taken: list[list[Any]] = []
    answered: list[Any] = []
    for message in case["messages"]:
        if _is_impossible(case["senders"], taken, message):
            answered.append(REJECTED)
            continue
        before, is_new = _left(case["senders"], taken), message[:2] not in [each[:2] for each in taken]
        taken = [*taken, message] if is_new else taken
        left = [each for each in _left(case["senders"], taken)]
        for each in before:
            left.remove(each)
        answered.append([in_order(left), _promise(case["senders"], taken)])
    return answered


def _promises(senders: list[str], taken: list[list[Any]]) -> dict[str, int]:
    last = dict.fromkeys(senders, -END_MS)
    last.update({sender: until_ms for sender, _, _, until_ms in taken})
    return last


def _promise(senders: list[str], taken: list[list[Any]]) -> int:
    return min(_promises(senders, taken).values())


def _left(senders: list[str], taken: list[list[Any]]) -> list[Arrival]:
    return [each for _, _, arrivals, _ in taken for each in arrivals if each[0] < _promise(senders, taken)]


def _is_impossible(senders: list[str], taken: list[list[Any]], message: list[Any]) -> bool:
    sender, number, arrivals, until_ms = message
    count = sum(each[0] == sender for each in taken)
    if sender not in senders or number > count or number < 0:
        return True
    promised_ms = _promises(senders, taken)[sender]
    return number == count and (until_ms < promised_ms or any(each[0] < promised_ms for each in arrivals))


# Queries


def results(case: dict[str, Any]) -> dict[str, list[Row]]:
    """Return the rows of each stream that no operator reads, in any order."""
    streams: dict[str, list[Row]] = {source: case["inputs"][source] for source in case["sources"]}
    for _, kind, argument, inputs, outputs in case["operators"]:
        rows = [row for stream in inputs for row in streams[stream]]
        rows.sort(key=lambda row: (row["t"], json.dumps(row, sort_keys=True)))
        streams.update(zip(outputs, _after(kind, argument, rows), strict=True))
    read = {stream for operator in case["operators"] for stream in operator[3]}
    made = [stream for operator in case["operators"] for stream in operator[4]]
    return {stream: streams[stream] for stream in made if stream not in read}


def _after(kind: str, argument: Any, rows: list[Row]) -> list[list[Row]]:
    """Return the rows of each output of an operator."""
    if kind == "map":
        return [[{**row, "v": row["v"] + argument} for row in rows]]
    if kind == "filter":
        return [[row for row in rows if row["v"] % argument != 0]]
    if kind == "demux":
        return [[row for row in rows if row["v"] % 2 == 0], [row for row in rows if row["v"] > argument]]
    if kind == "union":
        return [rows]
    groups = [[row[field] for field in argument] for row in rows]
    return [[{**row, "v": groups[: at + 1].count(groups[at])} for at, row in enumerate(rows)]]
