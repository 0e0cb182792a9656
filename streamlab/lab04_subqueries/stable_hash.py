"""A hash of 64 bits that is the same in every process, for sketches."""

from hashlib import blake2b


def hash64(value: str | int) -> int:
    """Return a hash of 0 to 2**64 - 1: each of its bits is as good as random, and every process computes the same one.

    Example: hash64("stream") -> 15827570557234871424
    """
    return int.from_bytes(blake2b(repr(value).encode(), digest_size=8).digest())
