"""The input of the throughput check of Lab 3: consecutive batches of 500 records of 100 bytes, as producers send them.

The input repeats a few batches in a seeded order, since making a batch takes longer than appending it. The
drive chooses the size of the segments; only the bytes of all segments together are compared.
"""

import hashlib
from collections.abc import Iterator

from autograder.checks import Mismatch, Rows, same_value
from autograder.checks.compare import shown
from autograder.checks.seeds import random_for
from streamlab.lab03_log.wire.batches import at_offset, batch_of, header_of

RECORDS = 500
VALUE_BYTES = 100
BATCHES = 200
DIFFERENT = 8


def workload(seed: str) -> tuple[bytes, int]:
    """Return the batches, each at offset 0, and how many records they hold."""
    rng = random_for(seed, "throughput")
    made = [batch_of([(None, rng.randbytes(VALUE_BYTES)) for _ in range(RECORDS)]) for _ in range(DIFFERENT)]
    return b"".join(rng.choices(made, k=BATCHES)), BATCHES * RECORDS


def in_a_log(content: bytes) -> Iterator[bytes]:
    """Yield the batches as a log holds them: each begins where the one before it ends."""
    at, offset = 0, 0
    while at < len(content):
        header = header_of(content, at)
        assert header is not None
        yield at_offset(content[at : at + header.size_bytes], offset)
        at, offset = at + header.size_bytes, offset + header.records


def same_log(content: bytes, rows: Rows) -> Mismatch | None:
    """Compare all bytes of a turn at once, by their digest."""
    digest, records = hashlib.sha256(), 0
    for batch in in_a_log(content):
        header = header_of(batch)
        assert header is not None
        digest.update(batch)
        records = header.base_offset + header.records
    wrong = same_value(records, rows.get("end_offset"), what="end_offset after all batches")
    if wrong or rows.get("digest") == digest.hexdigest():
        return wrong
    sentence = "Expected the segments to hold the batches, in order, each at its offset"
    return Mismatch(f"{sentence}; the bytes of yours have the SHA-256 {shown(rows.get('digest'))}.", digest.hexdigest())
