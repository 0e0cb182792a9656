"""The drive's end of a counterpart: a source, stores, a server and an event loop that ask for everything."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterator
from typing import Any

from autograder.inside.counterparts import Ask
from autograder.inside.rows import Rows, plain
from streamlab.lab06_enrichment import Key, StoreError, Transaction
from streamlab.lab06_enrichment.store_server import StoreServer
from streamlab.lab06_enrichment.virtual_time import Stuck, VirtualLoop, run_virtually

ERRORS: dict[str, Callable[[str], Exception]] = {
    "StoreError": StoreError,
    "TimeoutError": TimeoutError,
    "RuntimeError": RuntimeError,
    "KeyError": KeyError,
    "ConnectionRefusedError": ConnectionRefusedError,
}


class Source:
    """An iterator over the payments of the counterpart."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def __iter__(self) -> Iterator[Transaction]:
        return self

    def __next__(self) -> Transaction:
        payment = self._ask("take")
        if payment is None:
            raise StopIteration
        return Transaction(*payment)


class OutsideStore:
    """A blocking store."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys."""
        key_list = list(keys)
        rows, error = self._ask("get_many", plain(key_list))
        return _known(key_list, rows, error)


class OutsideServer(StoreServer):
    """A server for workers, which get the rows of the counterpart."""

    def __init__(self, ask: Ask) -> None:
        super().__init__({})
        self._ask = ask

    def rows_of(self, keys: list[Key]) -> list[str | None]:
        """Return the row of each key, or None for an unknown key."""
        rows: list[str | None] = self._ask("get_many", plain(keys))
        return rows


class OutsideLoop(VirtualLoop):
    """An event loop whose clock is the counterpart's."""

    def __init__(self, ask: Ask) -> None:
        self._ask, self._waiting = ask, dict[int, asyncio.Future[Any]]()
        super().__init__()

    async def answer(self, store: int, keys: list[Any]) -> tuple[list[Any], str | None]:
        """Call a store; return the row of each key, and the name of an error. A cancelled call ends there, too."""
        number = self._ask("call", store, keys)
        self._waiting[number] = self.create_future()
        try:
            rows, error = await self._waiting[number]
        except asyncio.CancelledError:
            self._ask("cancel", number)
            raise
        finally:
            del self._waiting[number]
        return rows, error

    def _jump(self) -> None:
        scheduled = self._scheduled  # type: ignore[attr-defined]
        waited = self._ask("wait", scheduled[0].when() if scheduled else None)
        if waited is None:
            raise Stuck("every task waits for another one, and no timer will wake any")
        self.now_s, ended = waited
        for number, *answer in ended:
            if number in self._waiting and not self._waiting[number].done():
                self._waiting[number].set_result(answer)


class AsyncOutsideStore:
    """Store number `store` of the counterpart; its callers run on an `OutsideLoop`."""

    def __init__(self, store: int = 0) -> None:
        self._store = store

    async def get(self, key: Key) -> str | None:
        """Return the row of one key, or None if the key is unknown."""
        return (await self.get_many([key])).get(key)

    async def get_many(self, keys: Collection[Key]) -> dict[Key, str]:
        """Return the rows of the known keys."""
        key_list = list(keys)
        loop: Any = asyncio.get_running_loop()
        return _known(key_list, *await loop.answer(self._store, plain(key_list)))


def run_outside(work: Coroutine[Any, Any, None], ask: Ask) -> Rows:
    """Run `work` on the counterpart's clock. The rows are the counterpart's."""
    run_virtually(work, lambda: OutsideLoop(ask))
    return {}


def _known(keys: list[Key], rows: list[Any], error: str | None) -> dict[Key, str]:
    if error:
        raise ERRORS[error]("planned")
    return {key: row for key, row in zip(keys, rows, strict=True) if row is not None}
