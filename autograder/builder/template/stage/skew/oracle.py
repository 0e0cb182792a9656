"""Correct answers in plain Python, computed differently from the reference, so that the two can disagree."""


def hot_keys(keys: list[str], at_least: int) -> dict[str, int] | None:
    """Return the count of each hot key; None if the threshold is invalid.

    Example: hot_keys(["a", "b", "a"], 2) -> {"a": 2}
    """
    if at_least < 1:
        return None
    return {key: keys.count(key) for key in keys if keys.count(key) >= at_least}
