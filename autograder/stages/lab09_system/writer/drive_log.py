"""A log in memory with transactions, which follows a schedule: at its k-th operation a writer dies, is overtaken, or
gets no answer. It only keeps what it is told; when to begin, and what to write again, is the writer's part.
"""

from collections.abc import Callable
from typing import Any

from streamlab.lab09_system import Fenced, LogError

MOST_OPERATIONS = 200
Fault = Callable[[int, str, Callable[[], Any]], Any]


class Died(BaseException):
    """The process of the writer is gone; no `except Exception` of a writer catches it."""


class Endless(BaseException):
    """The writer goes on asking a log that does not answer."""


class Disk:
    """What all writers share: complete batches, the epochs that began, the open transaction, operations so far."""

    def __init__(self, earlier: list[list[Any]]) -> None:
        self.visible = [[number, list(rows)] for number, rows in earlier]
        self.epochs, self.open = [0], list[Any]()
        self.owner: ScriptedLog | None = None
        self.operations = 0

    @property
    def last(self) -> int:
        """The number of the last complete batch; -1 if there is none."""
        return max((number for number, _ in self.visible), default=-1)

    def overtake(self, epoch: int, batches: list[list[Any]]) -> None:
        """Let somebody else begin and write all batches that are not there yet."""
        self.epochs.append(epoch)
        self.owner, self.open = None, []
        self.visible += [[number, list(rows)] for number, rows in batches if number > self.last]


class ScriptedLog:
    """One writer's connection to the disk; `fault(k, name, work)` runs the disk's k-th operation in its own way."""

    def __init__(self, disk: Disk, fault: Fault | None = None) -> None:
        self._disk, self._fault = disk, fault
        self.begun, self.commits, self.after_fenced, self._is_fenced = 0, 0, 0, False

    def begin(self, epoch: int) -> int:
        """End the open transaction without a trace, and return the number of the last complete batch."""
        return self._operation("begin", lambda: self._begin(epoch))

    def append(self, row: Any) -> None:
        """Add a row to the open transaction."""
        self._operation("append", lambda: self._own().open.append(row))

    def commit(self, number: int) -> None:
        """Make the rows of the open transaction visible, together with their number."""
        self.commits += 1
        self._operation("commit", lambda: self._commit(number))

    def _operation(self, name: str, work: Callable[[], Any]) -> Any:
        self._disk.operations += 1
        self.after_fenced += self._is_fenced
        if self._disk.operations > MOST_OPERATIONS:
            raise Endless
        try:
            return self._fault(self._disk.operations, name, work) if self._fault else work()
        except Fenced:
            self._is_fenced = True
            raise

    def _begin(self, epoch: int) -> int:
        disk = self._disk
        if max(disk.epochs) > epoch:
            raise Fenced(f"epoch {max(disk.epochs)} has begun, this is {epoch}")
        disk.epochs.append(epoch)
        disk.owner, disk.open, self.begun = self, [], self.begun + 1
        return disk.last

    def _commit(self, number: int) -> None:
        disk = self._own()
        disk.visible.append([number, disk.open])
        disk.open = []

    def _own(self) -> Disk:
        if self._disk.owner is not self:
            raise Fenced("another writer has begun")
        return self._disk


def fault_at(kind: str, at: int, times: int = 1) -> Fault:
    """Return a fault of the operations from number `at` on, `times` of them.

    "dies before", "dies after", "lost before" and "lost after" the operation has its effect.
    """

    def run(number: int, name: str, work: Callable[[], Any]) -> Any:
        if not at <= number < at + times:
            return work()
        if kind.endswith("after"):
            work()
        raise Died if kind.startswith("dies") else LogError(f"no answer to operation {number}")

    return run


def commits_lost(times: int) -> Fault:
    """Return a fault of the first commits, `times` of them: none of them has an effect or an answer."""
    left = [times]

    def run(number: int, name: str, work: Callable[[], Any]) -> Any:
        if name == "commit" and left[0]:
            left[0] -= 1
            raise LogError(f"no answer to operation {number}")
        return work()

    return run
