"""The input and output of enrichment: payments with three keys each, and payments with the rows found and flags.

The three lookups of a payment are those of the fraud detection in the enrichment paper (see Lab 6's sources): has this
account used this recipient, this device, this location before?
"""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

KINDS = ("recipient", "device", "location")


class StoreError(RuntimeError):
    """The store could not answer; the message says which store, and why."""


class NoAnswer(Enum):
    """The type of `NO_ANSWER`, which is neither a row nor None."""

    NO_ANSWER = "NO_ANSWER"


NO_ANSWER = NoAnswer.NO_ANSWER
Answer = str | NoAnswer | None


class Key(NamedTuple):
    """The key of a lookup. Each part may contain any characters, and may be empty."""

    kind: str
    account: str
    item: str


class Transaction(NamedTuple):
    """One payment; `at_ms` is its event time, in ms since the epoch."""

    id: str
    account: str
    recipient: str
    device: str
    location: str
    amount_cents: int
    at_ms: int

    @property
    def keys(self) -> tuple[Key, Key, Key]:
        """Its keys, in the order of KINDS."""
        return (
            Key("recipient", self.account, self.recipient),
            Key("device", self.account, self.device),
            Key("location", self.account, self.location),
        )


class Enriched(NamedTuple):
    """A payment with a row for each of KINDS (None where unknown or without an answer) and its flags."""

    transaction: Transaction
    rows: tuple[str | None, ...]
    flags: tuple[str, ...]


def enriched(transaction: Transaction, answers: Sequence[Answer]) -> Enriched:
    """Return the payment with its rows and flags.

    An answer is a row (which may be ""), None for an unknown key, or NO_ANSWER. There are three, in the order of KINDS;
    raises ValueError for any other number.
    Example: answers ("Ann", None, NO_ANSWER) -> flags ("UNKNOWN_DEVICE", "NO_ANSWER_LOCATION")
    """
    if len(answers) != len(KINDS):
        raise ValueError(f"expected an answer for each of {', '.join(KINDS)}, got {len(answers)}")
    flags = [_flag(kind, answer) for kind, answer in zip(KINDS, answers, strict=True)]
    rows = tuple(answer if isinstance(answer, str) else None for answer in answers)
    return Enriched(transaction, rows, tuple(flag for flag in flags if flag))


def _flag(kind: str, answer: Answer) -> str | None:
    if isinstance(answer, str):
        return None
    return f"{'UNKNOWN' if answer is None else answer.value}_{kind.upper()}"
