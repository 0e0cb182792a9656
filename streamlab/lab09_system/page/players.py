"""Gives a learner's tasks the recorded input while a day plays, and compares what they answer.

Each task plays in a process of its own, so one that hangs or ends its process stops neither the page nor another task.
"""

import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from streamlab.lab09_system import StoreError
from streamlab.lab09_system.page.borders import Call, calls_of, plain
from streamlab.notebooks.causes import cause_of
from streamlab.notebooks.loader import shortened

LIMIT_S = 10.0  # for the calls of one second of the day
SHOWN = 120  # characters of a value


class Compared(NamedTuple):
    """How many answers are as recorded, what stopped the task ("": nothing), and the first difference ("": none)."""

    same: int
    calls: int
    problem: str
    difference: str


class Player:
    """Plays one task, `own`, in another process. `lines` have the calls of each second."""

    def __init__(self, name: str, own: Any, lines: Sequence[bytes]) -> None:
        context = multiprocessing.get_context("fork")  # the learner's cells are loaded already
        self._connection, theirs = context.Pipe()
        self._compared, self._to, self._has_ended = Compared(0, 0, "", ""), 0, False
        self._process = context.Process(target=_play, args=(theirs, _Task(name, own), lines), daemon=True)
        self._process.start()
        theirs.close()

    def play(self, to: int) -> None:
        """Let the task get the calls before second `to`; what it got before is not played again."""
        if to > self._to:
            self._to = to
            with suppress(OSError):  # it has ended
                self._connection.send(to)

    def compared(self) -> Compared:
        """Return the comparison so far."""
        try:
            while not self._has_ended and self._connection.poll():
                self._compared = self._connection.recv()
        except (EOFError, OSError):
            self._has_ended = True
            self._process.join()
            timed_out = self._process.exitcode == -signal.SIGALRM
            problem = f"hangs: no answer within {LIMIT_S:g} s" if timed_out else "ended its process"
            difference = self._compared.difference or f"after {self._compared.calls:,} calls: {problem}"
            self._compared = self._compared._replace(problem=problem, difference=difference)
        return self._compared

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def _play(connection: Connection, task: "_Task", lines: Sequence[bytes]) -> None:
    """Play what the page asks for until it closes the connection."""
    own = connection.fileno()
    os.closerange(3, own)  # with the page's ends of other connections, nobody would see that the page has ended
    os.closerange(own + 1, os.sysconf("SC_OPEN_MAX"))
    sys.stdout = sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of Ctrl-C; the page ends the process
    played = 0
    with suppress(EOFError, OSError):
        while True:
            for line in lines[played : connection.recv()]:
                signal.setitimer(signal.ITIMER_REAL, LIMIT_S)  # the system ends the process, whatever it does
                task.take(line, played)
                signal.setitimer(signal.ITIMER_REAL, 0)
                played += 1
                connection.send(task.compared)


class _Task:
    """A task with the objects that the day made of it."""

    def __init__(self, name: str, own: Any) -> None:
        self.compared = Compared(0, 0, "", "")
        self._name, self._own, self._objects = name, own, dict[int, Any]()
        self._now_s, self._answers = 0.0, list[Any]()
        self._players = {"clock": lambda: lambda: self._now_s, "store": lambda: self}

    def take(self, line: bytes, at_s: int) -> None:
        """Answer the calls of a second."""
        for call in calls_of(line, self._players):
            if call[0] == self._name:
                self._compare(call, at_s)

    def get_many(self, keys: Any) -> dict[str, Any]:
        """Answer as the store did."""
        answer = self._answers.pop(0) if self._answers else StoreError("no answer in time")
        if isinstance(answer, StoreError):
            raise answer
        return dict.fromkeys(keys, answer)

    def _compare(self, call: Call, at_s: int) -> None:
        expected, (same, calls, problem, difference) = call[-1], self.compared
        try:
            got = plain(self._answer(call))
            said, is_same = _shown(got), got == expected
        except BaseException as raised:
            cause = cause_of(raised)
            said, is_same = f"{cause.kind} in line {cause.line} of its cell: {cause.message}", False
            problem = problem or f"raised {cause.kind}"
        if not is_same and not difference:
            difference = f"second {at_s}, {_text(call)}: expected {_shown(expected)}, got {shortened(said, SHOWN)}"
        self.compared = Compared(same + is_same, calls + 1, problem, difference)

    def _answer(self, call: Call) -> Any:
        _, number, method, arguments, self._now_s, self._answers, _ = call
        if method:
            found = getattr(self._objects[number], method)
            return found if arguments is None else found(*arguments)
        answer = self._own(*arguments)
        if not number:
            return answer
        self._objects[number] = answer
        return None


def _text(call: Call) -> str:
    name, _, method, arguments, *_ = call
    shown = "" if arguments is None else f"({shortened(', '.join(map(_argument_text, arguments)), SHOWN)})"
    return f"{method or name}{shown}"


def _argument_text(value: Any) -> str:
    return "store" if isinstance(value, _Task) else "clock" if callable(value) else repr(value)


def _shown(value: Any) -> str:
    return shortened(json.dumps(value), SHOWN)


def in_words(tasks: Iterable[Compared]) -> list[str]:
    """Return the comparison of the tasks of one box as texts, the longest one first.

    Example: 6,991 of 7,027 -> ["yours: 6,991 of 7,027 as recorded", "yours: 6,991 of 7,027", "6,991 of 7,027"]
    """
    found = list(tasks)
    if problem := next((each.problem for each in found if each.problem), ""):
        return [f"yours: {problem}", problem, problem.split()[0].rstrip(":")]
    same, calls = sum(each.same for each in found), sum(each.calls for each in found)
    if not calls:
        return ["yours: no call yet", "no call yet", "no call"]
    count = f"{same:,} of {calls:,}"
    return [f"yours: {count} as recorded", f"yours: {count}", count]
