"""Cuts texts that come from an answer, which could carry anything that its sandbox holds.

Lengths are counted in bytes of UTF-8, so a text of other characters carries no more than one of as many ASCII
characters.
"""


def size_of(text: str) -> int:
    """Return the length of a text in bytes of UTF-8. Example: size_of("né") -> 3"""
    return len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` bytes, not counting the "…" at the end of one that was cut.

    Example: cut("streams", 3) -> "str…"
    """
    start = text.encode("utf-8", "surrogatepass")
    return text if len(start) <= most else start[: max(0, most)].decode("utf-8", "ignore") + "…"
