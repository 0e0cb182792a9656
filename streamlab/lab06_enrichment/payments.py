"""Synthetic payments, the reference rows of a bank's accounts, and a log of changes of these rows.

Equal seeds give equal payments. As in the enrichment paper's generator, a few keys are unknown, and most amounts are
small and few are large. Whether a key is unknown is drawn separately for each kind, so all eight combinations occur.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from streamlab.lab06_enrichment.events import KINDS, Key, Transaction
from streamlab.lab06_enrichment.histories import Change, Version

UNKNOWN_SHARES = (0.10, 0.05, 0.05)  # of recipients, devices, locations
ITEMS_EACH = 3  # rows of each kind for an account
AMOUNTS_CENTS = ((0.80, 100, 10_000), (0.15, 10_000, 100_000), (0.05, 100_000, 1_000_000))  # share, from, below
PLACES = ("Berlin", "Hamburg", "Paris", "Oslo", "Rome", "Lima", "Kyoto", "Quito", "Accra", "Perth")
DEVICES = ("phone", "laptop", "tablet", "watch", "terminal")


@dataclass(frozen=True)
class Bank:
    """Accounts and their reference rows by key. With `skew` 0, accounts are drawn evenly, otherwise by Zipf's law."""

    seed: str
    accounts: Sequence[str]
    rows: Mapping[Key, str]
    skew: float

    def payments(self, count: int, rate_per_s: float = 100.0, begin_ms: int = 0) -> list[Transaction]:
        """Return `count` payments in the order of their times, `rate_per_s` of them in each second.

        Raises ValueError if `count` is negative or `rate_per_s` not positive.
        """
        if count < 0 or not rate_per_s > 0:
            raise ValueError(f"expected count >= 0 and rate_per_s > 0, got {count} and {rate_per_s}")
        rng = Random(f"{self.seed}/payments")
        weights = list(accumulate((rank + 1) ** -self.skew for rank in range(len(self.accounts))))
        return [self._payment(rng, weights, at, begin_ms + int(1000 * at / rate_per_s)) for at in range(count)]

    def changes(self, count: int, until_ms: int) -> list[Change]:
        """Return `count` changes of known rows at times in [0, until_ms), in order; every fourth removes its row."""
        if count < 0 or until_ms < 1:
            raise ValueError(f"expected count >= 0 and until_ms >= 1, got {count} and {until_ms}")
        rng = Random(f"{self.seed}/changes")
        times_ms = sorted(rng.randrange(until_ms) for _ in range(count))
        keys = list(self.rows)
        return [
            Change(rng.choice(keys), Version(at_ms, seq, None if seq % 4 == 3 else f"row {seq}"))
            for seq, at_ms in enumerate(times_ms)
        ]

    def _payment(self, rng: Random, weights: list[float], number: int, at_ms: int) -> Transaction:
        account = self.accounts[bisect_left(weights, rng.random() * weights[-1])]
        recipient, device, location = (
            f"new-{rng.randrange(10**6)}" if rng.random() < share else _known_item(account, kind, rng)
            for kind, share in zip(KINDS, UNKNOWN_SHARES, strict=True)
        )
        return Transaction(f"t{number:07d}", account, recipient, device, location, _amount_cents(rng), at_ms)


def bank(seed: str, accounts: int, skew: float = 0.0) -> Bank:
    """Return a bank of `accounts`, each with ITEMS_EACH recipients, devices and locations that it has used.

    Raises ValueError if `accounts` is below 1 or `skew` negative.
    Example: bank("demo", accounts=2).payments(3)
    """
    if accounts < 1 or not skew >= 0:
        raise ValueError(f"expected accounts >= 1 and skew >= 0, got {accounts} and {skew}")
    names = [f"acc{at:05d}" for at in range(accounts)]
    keys = [Key(kind, name, _item(name, kind, at)) for name in names for kind in KINDS for at in range(ITEMS_EACH)]
    return Bank(seed, names, {key: f"{key.kind} of {key.account}: {key.item}" for key in keys}, skew)


def _known_item(account: str, kind: str, rng: Random) -> str:
    return _item(account, kind, rng.randrange(ITEMS_EACH))


def _item(account: str, kind: str, at: int) -> str:
    """Return an account's item number `at`, which does not depend on the bank's seed."""
    choice = Random(f"{account}/{kind}")
    if kind == "recipient":
        return f"shop{choice.randrange(1000)}-{at}"
    return choice.sample(DEVICES if kind == "device" else PLACES, ITEMS_EACH)[at]


def _amount_cents(rng: Random) -> int:
    (_, low, high), *_ = rng.choices(AMOUNTS_CENTS, [share for share, _, _ in AMOUNTS_CENTS])
    return rng.randrange(low, high)
