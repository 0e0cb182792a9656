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


def side_by_side(expected: str, got: str, most: int) -> tuple[str, str]:
    """Return two texts of at most `most` bytes each; of long ones, the beginning and the first place where they differ.

    Example: side_by_side("[1, 2, 3, 4, 5, 6, 7]", "[1, 2, 3, 4, 5, 6, 8]", 16) -> ("[1, 2…, 6, 7]", "[1, 2…, 6, 8]")
    """
    differing = (at for at, (one, other) in enumerate(zip(expected, got, strict=False)) if one != other)
    head = most // 3
    start = next(differing, min(len(expected), len(got))) - head
    if start <= head or max(size_of(expected), size_of(got)) <= most:
        return cut(expected, most), cut(got, most)
    return cut(f"{expected[:head]}…{expected[start:]}", most), cut(f"{got[:head]}…{got[start:]}", most)
