"""The order of releases, which are named like 2026.1."""


def is_newer(release: str, other: str) -> bool:
    """Return whether `release` is newer than `other`; False if one of them is not made of numbers and dots.

    Example: is_newer("2026.10", "2026.2") -> True
    """
    mine, theirs = _numbers(release), _numbers(other)
    return mine is not None and theirs is not None and mine > theirs


def _numbers(release: str) -> tuple[int, ...] | None:
    parts = release.split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else None
