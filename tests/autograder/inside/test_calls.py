"""Two sides call each other: tasks, methods, callbacks and errors cross by value; private names and code do not."""

import json
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

import pytest

from autograder.inside.calls import Message, Peer, Remote, is_object_of_cells
from autograder.inside.channel import Channel

CELLS = """
class Cache:
    def __init__(self, clock):
        self.clock, self.size, self._kept = clock, 0, {}

    def put(self, key, value):
        self._kept[key] = value, self.clock()
        self.size += 1

    def get(self, key, default=None):
        return self._kept.get(key, (default,))[0]

    def same(self, other):
        return other is self

def half(number, *, twice=False):
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number if twice else number // 2

def source():
    return half
"""


class Direct:
    """A channel without a judge between the two sides."""

    def __init__(self) -> None:
        self.asks_lock = threading.RLock()
        self.other: Peer | None = None

    def exchange(self, message: Message) -> Message:
        """Return the other side's reply, as JSON holds it."""
        assert self.other is not None
        reply: Message = json.loads(json.dumps(self.other.answer(json.loads(json.dumps(message)))))
        return reply


@pytest.fixture
def submission() -> Peer:
    """The submission's side; the other one has the cells."""
    cells = ModuleType("stage_lab")
    exec(CELLS, vars(cells))
    here, there = Direct(), Direct()
    mine = Peer(cast(Channel, here), lambda full: None, lambda value: True)
    there.other = mine
    here.other = Peer(cast(Channel, there), lambda full: vars(cells)[full.split("/")[1]], is_object_of_cells)
    return mine


def task(peer: Peer, name: str) -> Remote:
    return peer.remote(f"lab/{name}", name)


def test_a_function_is_called_by_value_and_raises_its_error_here(submission: Peer) -> None:
    half = task(submission, "half")

    assert (half(4), half(4, twice=True)) == (2, 4)
    with pytest.raises(ValueError, match=r"^3 is odd$"):
        half(3)


def test_an_object_keeps_its_state_there_and_calls_back_with_functions_of_this_side(submission: Peer) -> None:
    asked: list[int] = []
    cache, default = task(submission, "Cache")(lambda: asked.append(1)), object()
    cache.put("a", (1, 2))

    assert (cache.get("a"), cache.size, len(asked)) == ((1, 2), 1, 1)
    assert cache.get("b", default) is default
    assert cache.same(cache)
    assert type(cache).__name__ == "Cache"


def test_an_error_of_a_callback_comes_back_through_the_task(submission: Peer) -> None:
    def clock() -> float:
        raise OSError("no clock")

    with pytest.raises(OSError, match=r"^no clock$"):
        task(submission, "Cache")(clock).put("a", 1)


@pytest.mark.parametrize(
    "ask",
    [
        lambda peer: peer.attribute(0, "_kept"),
        lambda peer: peer.attribute(0, "__class__"),
        lambda peer: peer.attribute("lab/half", "__code__"),
        lambda peer: peer.call(0, "__init__", (), {}),
        lambda peer: peer.call("lab/half", "__reduce__", (), {}),
        lambda peer: peer.call("lab/Cache", "mro", (), {}),
        lambda peer: peer.call("lab/source", "", (), {}),
        lambda peer: peer.call("lab/__builtins__", "get", ("open",), {}),
    ],
)
def test_private_names_functions_and_classes_are_out_of_reach(submission: Peer, ask: Callable[[Peer], Any]) -> None:
    task(submission, "Cache")(len)

    with pytest.raises((AttributeError, TypeError)):
        ask(submission)


def test_a_remote_object_cannot_be_copied_into_another_process(submission: Peer) -> None:
    with pytest.raises(TypeError, match="Cache is the reference solution"):
        task(submission, "Cache").__reduce__()
