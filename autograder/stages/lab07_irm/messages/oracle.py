"""The right answers, from lists that are searched at each event: idle engines, promised and stored messages, losses."""

from typing import Any

# Registry


def answers(case: dict[str, Any]) -> list[Any]:
    """Return the result of each call of a script."""
    idle, promised, stored = list[list[Any]](), list[list[str]](), list[list[str]]()
    found: list[Any] = []
    for call, name, *more in case["script"]:
        answer: Any = None
        if call == "add_engine":
            idle.append([name, *more])
        elif call == "take_engine":
            lowest = [each for each in idle if each[1] == name]
            lowest = [each for each in lowest if each[2] == min(other[2] for other in lowest)]
            answer = lowest[-1][0] if lowest else None
            idle = [each for each in idle if each[0] != answer]
        elif call == "remove_engine":
            answer = name in [each[0] for each in idle]
            idle = [each for each in idle if each[0] != name]
        elif call == "promise":
            answer = len(promised + stored) < case["limit"]
            promised += [[name, *more]] if answer else []
        elif call == "arrive":
            answer = name in [each[0] for each in promised]
            promised = [each for each in promised if each[0] != name]
        elif call == "waiting":
            answer = [each[1] for each in promised + stored].count(name)
        elif call == "take_message":
            answer = next((each[0] for each in stored if each[1] == name), None)
            stored = [each for each in stored if each[0] != answer]
        elif call == "remove_message":
            promised = [each for each in promised if each[0] != name]
            stored = [each for each in stored if each[0] != name]
        else:
            stored = [[name, *more], *stored] if call == "append_first" else [*stored, [name, *more]]
        found.append(answer)
    return found


# Master: a table message -> place, and which engine has which message


class _Table:
    def __init__(self, limit: int, tries: int) -> None:
        self.limit, self.tries = limit, tries
        self.image: dict[str, str] = {}  # of known messages
        self.place: dict[str, str] = {}  # "promised", "backlog", or "engine"
        self.is_stored: dict[str, bool] = {}
        self.losses: dict[str, int] = {}
        self.queue: list[str] = []  # places are looked up in the table; this is their order only
        self.engines: dict[str, str] = {}  # engine -> image
        self.has: dict[str, str] = {}

    def free(self, image: str) -> str | None:
        found = [engine for engine, of in self.engines.items() if of == image and engine not in self.has]
        if len(found) > 1:
            raise ValueError(f"expected at most one idle engine, got {found}; draw another case")
        return found[0] if found else None

    def send(self, message: str, in_front: bool) -> list[list[Any]]:
        engine = self.free(self.image[message])
        if engine is not None:
            self.has[engine], self.place[message] = message, "engine"
            return [["hand" if self.is_stored[message] else "push", message, engine]]
        if self.is_stored[message]:
            self.place[message] = "backlog"
            self.queue = [message, *self.queue] if in_front else [*self.queue, message]
            return []
        if sum(place != "engine" for name, place in self.place.items() if name != message) < self.limit:
            self.place[message] = "promised"
            return [["store", message, None]]
        return self.end(message, "wait")

    def end(self, message: str, how: str) -> list[list[Any]]:
        if message not in self.image:
            return []
        for table in (self.image, self.place, self.is_stored, self.losses):
            table.pop(message, None)  # type: ignore[attr-defined]
        self.queue = [each for each in self.queue if each != message]
        return [[how, message, None]]

    def serve(self, engine: str) -> list[list[Any]]:
        of = self.engines[engine]
        message = next((each for each in self.queue if self.image[each] == of), None)
        if message is None:
            return []
        self.queue.remove(message)
        self.has[engine], self.place[message] = message, "engine"
        return [["hand", message, engine]]

    def lose(self, engine: str) -> list[list[Any]]:
        self.engines.pop(engine, None)
        message = self.has.pop(engine, None)
        if message is None or message not in self.image:
            return []
        self.losses[message] += 1
        return self.end(message, "fail") if self.losses[message] == self.tries else self.send(message, in_front=True)

    def event(self, what: str, name: str, *more: Any) -> Any:
        if what == "waiting":
            return sum(self.image[each] == name for each, place in self.place.items() if place != "engine")
        if what == "offer" and name not in self.image:
            self.image[name], self.is_stored[name], self.losses[name] = more[0], False, 0
            self.place[name] = "engine"
            return self.send(name, in_front=False)
        if what == "stored" and self.place.get(name) == "promised":
            self.is_stored[name] = True
            return self.send(name, in_front=False)
        if what == "idle":
            orders = self.lose(name)
            self.engines[name] = more[0]
            return orders + self.serve(name)
        if what == "done":
            orders = self.end(more[0], "forget")
            if self.has.get(name) == more[0]:
                del self.has[name]
                orders += self.serve(name)
            return orders
        if what == "lost":
            return self.lose(name)
        if what == "leaving":
            if name not in self.engines or name in self.has:
                return [["stay", None, name]]
            del self.engines[name]
            return [["leave", None, name]]
        return []


def workers(case: dict[str, Any]) -> dict[str, list[int]]:
    """Return the workers on which each engine has registered."""
    found: dict[str, list[int]] = {}
    for what, name, *more in case["script"]:
        if what == "idle":
            found.setdefault(name, []).append(more[1] if len(more) > 1 else 0)
    return found


def orders(case: dict[str, Any]) -> list[Any]:
    """Return the orders after each event of a script."""
    table = _Table(case.get("limit", 1000), case.get("tries", 3))
    return [table.event(*event) for event in case["script"]]
