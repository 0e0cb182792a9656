"""Reference rows over time: the versions of a row, its changes, and the state of one account."""

import json
from typing import NamedTuple

from streamlab.lab06_enrichment.events import Key, Transaction


class Version(NamedTuple):
    """A row from `at_ms` until the next version; None if it was removed. At equal times the greater `seq` wins."""

    at_ms: int
    seq: int
    row: str | None


class Change(NamedTuple):
    """One entry of the change log of the reference rows."""

    key: Key
    version: Version


class AccountState(NamedTuple):
    """The state of one account: versions of its rows, and payments that have no answer yet."""

    versions: dict[Key, list[Version]]
    waiting: list[Transaction]

    def to_json(self) -> str:
        """Return the state as text, for Spark's state store.

        Example: AccountState({}, []).to_json() -> "[[], []]"
        """
        return json.dumps([[[key, versions] for key, versions in self.versions.items()], self.waiting])

    @classmethod
    def from_json(cls, text: str) -> "AccountState":
        """Return the state that `to_json` wrote."""
        versions, waiting = json.loads(text)
        return cls(
            {Key(*key): [Version(*each) for each in history] for key, history in versions},
            [Transaction(*each) for each in waiting],
        )


EMPTY = AccountState({}, [])
