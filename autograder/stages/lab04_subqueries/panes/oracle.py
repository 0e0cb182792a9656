"""The right answers of `Panes` and `add_row`: after each call, everything is computed anew from all values so far."""

from typing import Any


def panes_answers(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what each call returns, and the panes of its group after it as [number, partial results].

    A partial result is the list of the values of the first function, and ten times the sum of those of the second one.
    In a case with `latest` there is one function, and its partial result is the latest value.
    """
    _, size, advance = case["window"]
    length = max(each for each in range(1, advance + 1) if size % each == 0 and advance % each == 0)
    answers = []
    for number, (method, group, at, *_) in enumerate(case["calls"]):
        calls = [call for call in case["calls"][: number + 1] if call[1] == group]
        added = [call[2:] for call in calls if call[0] == "add"]
        needed_from = max((call[2] + advance for call in calls if call[0] == "close"), default=-(1 << 62))
        if method == "add":
            returned: Any = [each // length for each, *_ in added].count(at // length) == 1
        else:
            held = [values for each, *values in added if at <= each < at + size]
            partials = _combined(case, held)
            returned = partials if case.get("latest") else [[len(held), *partials[0]], partials[1] + 1]
        kept = [each for each in added if each[0] >= needed_from]
        numbers = sorted({each // length for each, *_ in kept})
        answers.append(
            {"returned": returned, "panes": [[pane, _partials(case, kept, pane, length)] for pane in numbers]}
        )
    return answers


def _partials(case: dict[str, Any], kept: list[Any], pane: int, length: int) -> list[Any]:
    return _combined(case, [values for at, *values in kept if pane * length <= at < (pane + 1) * length])


def _combined(case: dict[str, Any], held: list[Any]) -> list[Any]:
    """Return the partial results of values, the earliest first."""
    if case.get("latest"):
        return list(held[-1])
    return [[one for one, _ in held], 10 * sum(other for _, other in held)]


def row_answers(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what each call returns, and whether its group is empty after it.

    Windows that do not overlap leave nothing behind, so each of them starts with row 0 again.
    """
    size, advance = case["window"]
    answers = []
    for number, name in enumerate(case["groups"]):
        own = [at for at in range(number + 1) if case["groups"][at] == name]
        if advance == size:
            own = own[(len(own) - 1) // size * size :]
        windows = range(0, len(own), advance)
        closed = [[start, *([at] for at in own[start:])] for start in windows if start + size == len(own)]
        is_over = advance == size and bool(closed)
        answers.append({"returned": case.get("results", closed[0]) if closed else None, "empty": is_over})
    return answers
