"""Files of payments and refunds [id, account, cents, at_ms, id of the refunded payment or None].

A standing query takes seconds, so the cases are few. No payment's time bound comes within a second of a watermark.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

WITHIN_S = 20


def paired(seed: str) -> list[Case]:
    """Return payments with refunds at the edges of the time bound, and others; all rows come in time, in two files.

    Some payments have two refunds, one has a refund that comes in an earlier file, and some refunds have no payment.
    """
    rng = random_for(seed, "paired")
    rows = [*_edges(), _paid("p1", 2000), _refund("r1", "nobody", 3000)]
    for number in range(8):
        paid_ms = rng.randrange(1000, 60_000)
        rows.append(_paid(f"q{number}", paid_ms, rng))
        for refund in range(rng.choice([0, 1, 2])):
            refunded_ms = paid_ms + rng.randrange(-5000, 1500 * WITHIN_S)
            rows.append(_refund(f"s{number}-{refund}", f"q{number}", max(1, refunded_ms), rng))
    rng.shuffle(rows)
    first, second = [_refund("r0", "p0", 5000), *rows[::2]], [*rows[1::2], _paid("p0", 1000)]
    return [_case([first, second], watermark_s=100, chained=True)]


def waited(seed: str) -> list[Case]:
    """Return payments that wait in four files, the least times that are valid, and invalid ones.

    After the second file, the watermark has passed the bound of the first payment. It has not passed that of the second
    one, whose refund comes too late, in the third file.
    """
    rng = random_for(seed, "waited")
    cents = [rng.randint(1, 9999) for _ in range(3)]
    files = [
        [["p1", "ann", cents[0], 1000, None], ["p2", "bob", cents[1], 9000, None], _refund("r0", "p0", 21_000)],
        [["p3", "ann", cents[2], 37_000, None], _refund("r3", "p3", 38_000)],
        [_refund("r2", "p2", 26_000), _paid("p4", 80_000), _refund("r4", "p4", 81_000), _paid("p6", 60_000)],
        [_paid("p5", 200_000), _refund("r5", "p5", 201_000)],
    ]
    played = _case(files, watermark_s=10)
    times_s = (1, 0), (0, 10), (WITHIN_S, -1)
    more = [{"files": files[:1], "within_s": within_s, "watermark_s": watermark_s} for within_s, watermark_s in times_s]
    return [played, *({**played, **each} for each in more)]


def _edges() -> list[list[Any]]:
    """Return a refund a millisecond before its payment, at its time, and at and before the end of the time bound."""
    gaps_ms = -1, 0, 1000 * WITHIN_S - 1, 1000 * WITHIN_S
    pairs = [(_paid(f"e{gap_ms}", 9000), _refund(f"f{gap_ms}", f"e{gap_ms}", 9000 + gap_ms)) for gap_ms in gaps_ms]
    return [row for pair in pairs for row in pair]


def _case(files: list[list[list[Any]]], watermark_s: int, *, chained: bool = False) -> Case:
    return {"files": files, "within_s": WITHIN_S, "watermark_s": watermark_s, "chained": chained}


def _paid(name: str, at_ms: int, rng: random.Random | None = None) -> list[Any]:
    return [name, "ann", rng.randint(1, 9999) if rng else 100, at_ms, None]


def _refund(name: str, payment: str, at_ms: int, rng: random.Random | None = None) -> list[Any]:
    return [name, "ann", rng.randint(1, 99) if rng else 100, at_ms, payment]
