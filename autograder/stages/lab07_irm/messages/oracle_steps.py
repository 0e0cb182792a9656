"""The right answers of the Master's steps: each call of `Assignments` looks at the whole script before it."""

from typing import Any

Call = list[Any]

# Assignments


def answers(case: dict[str, Any]) -> list[Any]:
    """Return the result of each call of a script."""
    past: list[Call] = []  # [call, its answer]
    for call in case["script"]:
        past.append([call, _answer(past, *call)])
    return [answer for _, answer in past]


def _answer(past: list[Call], what: str, name: str, *more: str) -> Any:
    if what == "begin":
        return not _is_known(past, name)
    if what == "end":
        return _is_known(past, name)
    if what == "release":
        return _message_of(past, name) == more[0]
    message = _message_of(past, name) if what == "lose" else None
    if message is None or not _is_known(past, message):
        return None
    return [message, 1 + _losses(past, message)]


def _is_known(past: list[Call], message: str) -> bool:
    last = [what for (what, name, *_), _ in past if name == message and what in ("begin", "end")][-1:]
    return last == ["begin"]


def _message_of(past: list[Call], engine: str) -> str | None:
    for (what, name, *more), answer in reversed(past):
        if name == engine and what == "assign":
            return str(more[0])
        if name == engine and (what == "lose" or (what == "release" and answer)):
            return None
    return None


def _losses(past: list[Call], message: str) -> int:
    since = max(at for at, (call, is_new) in enumerate(past) if call == ["begin", message] and is_new)
    return sum(call[0] == "lose" and bool(answer) and answer[0] == message for call, answer in past[since:])


# dispatch, with a registry that follows the rules of the drive's double


def routes(case: dict[str, Any]) -> list[Any]:
    """Return for each call its orders, and the idle engines, promised messages and queues after it."""
    idle, promised, stored = ([list(each) for each in case[name]] for name in ("idle", "promised", "stored"))
    found = []
    for message, image, is_stored, was_lost in case["calls"]:
        engines = [engine for engine, of in idle if of == image]
        row = [message, image]
        if engines:
            orders = [["hand" if is_stored else "push", message, engines[0]]]
            idle = [each for each in idle if each[0] != engines[0]]
        elif is_stored:
            orders, stored = [], [row, *stored] if was_lost else [*stored, row]
        elif [of for _, of in promised + stored].count(image) < case["limit"]:
            orders, promised = [["store", message, None]], [*promised, row]
        else:
            orders = [["wait", message, None]]
        queues = {of: [name for name, image in stored if image == of] for _, of in stored}
        found.append([orders, [engine for engine, _ in idle], sorted(name for name, _ in promised), queues])
    return found
