"""Calls between a submission's sandbox and the second one, in which the reference's tasks of earlier labs run.

Both ends have a `Peer`. Arguments, results and errors cross by value (autograder.inside.by_value). What cannot, is a
`Remote` on the other side: an object of a task's class, of which only public methods and attributes can be used; or, as
an argument, a function or an object of the submission. The judge carries the messages, one at a time and in turns.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from autograder.inside.by_value import as_json, error_as_json, error_from_json, from_json
from autograder.inside.channel import Channel

Message = dict[str, Any]
CELLS = "stage_"  # begins the names of the modules in which cells of earlier labs are loaded


class Remote:
    """A task, an object or a function of the other side; its class has the name of the original."""

    known_methods: ClassVar[set[str]]  # of its class, each peer having its own

    def __init__(self, peer: "Peer", target: str | int) -> None:
        self._peer, self._target = peer, target

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call it there. Raises the error that it raises there."""
        return self._peer.call(self._target, "", arguments, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self.known_methods:
            value, is_method = self._peer.attribute(self._target, name)
            if not is_method:
                return value
            self.known_methods.add(name)
        return lambda *arguments, **named: self._peer.call(self._target, name, arguments, named)

    def __reduce__(self) -> Any:
        raise TypeError(f"{type(self).__name__} is the reference solution, which cannot be copied or pickled")


class Peer:
    """One end of the calls; `tasks(full name)` returns a task that the other side may call."""

    def __init__(self, channel: Channel, tasks: Callable[[str], Any], shows: Callable[[Any], bool]) -> None:
        self._channel, self._tasks, self._shows = channel, tasks, shows
        self._shown: list[Any] = []
        self._numbers: dict[int, int] = {}  # id of what is shown -> its number
        self._kinds: dict[str, type[Remote]] = {}
        self._remotes: dict[str | int, Remote] = {}

    def remote(self, target: str | int, name: str) -> Remote:
        """Return the other side's task ("lab01_wordcount/words"), or what it shows under a number."""
        if name not in self._kinds:
            self._kinds[name] = type(name, (Remote,), {"known_methods": set()})
        if target not in self._remotes:
            self._remotes[target] = self._kinds[name](self, target)
        return self._remotes[target]

    def call(self, target: str | int, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a task, or a method of an object."""
        return self._ask({"call": [target, name, self._out(arguments), self._out(named)]})

    def attribute(self, target: str | int, name: str) -> tuple[Any, bool]:
        """Return an attribute of an object, and whether it is a method; a method itself stays there."""
        value, is_method = self._ask({"get": [target, name]})
        return value, is_method

    def answer(self, message: Message) -> Message:
        """Return the reply to a message of the other side, which may be anything."""
        try:
            return {"return": self._out(self._result(message))}
        except BaseException as problem:  # the other side gets every error
            return {"raise": error_as_json(problem)}

    def _ask(self, message: Message) -> Any:
        """Send a message, answer the calls that come before its reply, and return the reply's value."""
        with self._channel.asks_lock:
            reply = self._channel.exchange(message)
            while "call" in reply or "get" in reply:
                reply = self._channel.exchange(self.answer(reply))
        if "raise" in reply:
            raise error_from_json(reply["raise"])
        return self._in(reply["return"])

    def _result(self, message: Message) -> Any:
        if "get" in message:
            target, name = message["get"]
            value = self._public(self._shown[target], name)
            return (None, True) if callable(value) else (value, False)
        target, name, arguments, named = message["call"]
        callee = self._tasks(target) if isinstance(target, str) else self._shown[target]
        function = self._public(callee, name) if name else callee
        return function(*self._in(arguments), **self._in(named))

    def _public(self, shown: Any, name: str) -> Any:
        if not self._shows(shown) or name.startswith("_"):
            raise AttributeError(f"no attribute {name}")
        return getattr(shown, name)

    def _out(self, value: Any) -> Any:
        return as_json(value, self._reference)

    def _in(self, content: Any) -> Any:
        return from_json(content, self._referred)

    def _reference(self, value: Any) -> Any:
        if isinstance(value, Remote):
            return {"yours": value._target}
        if not self._shows(value):
            raise TypeError(f"a {type(value).__name__} cannot leave the reference solution's sandbox")
        if (number := self._numbers.setdefault(id(value), len(self._shown))) == len(self._shown):
            self._shown.append(value)
        return {"mine": [number, type(value).__name__]}

    def _referred(self, content: Any) -> Any:
        if "yours" in content:
            return self._shown[content["yours"]]
        return self.remote(*content["mine"])


def is_object_of_cells(value: Any) -> bool:
    """Return whether a value is an object of a class that the cells of an earlier lab define."""
    return type(value).__module__.startswith(CELLS)


def serve(channel: Channel, tasks: Callable[[str], Any]) -> None:
    """Answer calls of tasks until the judge closes the pipe: the program of the second sandbox."""
    peer = Peer(channel, tasks, is_object_of_cells)
    for command in channel.commands():
        channel.send("call", message=peer.answer(command["message"]))
