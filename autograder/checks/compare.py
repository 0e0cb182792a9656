"""Comparisons for checks: each returns None, or a `Mismatch` that shows the first difference.

They compare values, never printed text. Rows come from JSON, which has lists in place of tuples and texts as keys, so
both sides are converted to that form first. Numbers are equal if Python's `==` says so, but a truth value never equals
a number: 1 equals 1.0 and not True. A value of an unexpected shape is a mismatch, never an error.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from autograder.checks.cut_texts import cut, side_by_side
from autograder.checks.registry import Mismatch
from autograder.inside.rows import key_text

SHOWN_CHARS = 100  # of UTF-8, as `cut` counts them


def shown(value: Any, limit: int = SHOWN_CHARS) -> str:
    """Return `value` as a learner would write it, cut after `limit` characters.

    Example: shown(["a", 1]) -> '("a", 1)'
    """
    return cut(_as_python(value), limit)


def _both_shown(expected: Any, got: Any) -> tuple[str, str]:
    """Return two values as `shown` does; of long ones, the part around the first difference."""
    return side_by_side(_as_python(expected), _as_python(got), SHOWN_CHARS)


def _as_python(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple) or _is_row(value):
        return "(" + ", ".join(_as_python(each) for each in value) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(_as_python(each) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_as_python(k)}: {_as_python(v)}" for k, v in value.items()) + "}"
    return repr(value)


def _is_row(value: Any) -> bool:
    """Return whether a list is (key, number), which was a tuple before JSON."""
    return (
        isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int | float)
    )


def equal(expected: Any, got: Any) -> bool:
    """Return whether two values are equal by the rule of this module.

    Example: equal((1, 0), [1.0, -0.0]) -> True;  equal([1], [True]) -> False
    """
    return _equal(_plain(expected), _plain(got))


def is_whole(value: Any) -> TypeGuard[int | float]:
    """Return whether this is a whole number, which a truth value is not.

    Example: is_whole(2.0) -> True;  is_whole(True) -> False
    """
    return type(value) is int or (isinstance(value, float) and value.is_integer())


def same_value(expected: Any, got: Any, *, what: str, tolerance: float = 0.0) -> Mismatch | None:
    """Compare one value. `what` is a noun for the sentence: "the number of bars". Of long dicts it shows one entry.

    Example: same_value(3, 4, what="the total") -> Mismatch("Expected the total to be 3; yours is 4.")
    """
    left, right = _plain(expected), _plain(got)
    if _equal(left, right, tolerance):
        return None
    both_are_dicts = isinstance(left, dict) and isinstance(right, dict)
    if both_are_dicts and max(len(_as_python(each)) for each in (left, right)) > SHOWN_CHARS:
        return Mismatch(_first_wrong_entry(left, right, what), expected, got)
    want, have = _both_shown(expected, got)
    return Mismatch(f"Expected {what} to be {want}; yours is {have}.", expected, got)


def _first_wrong_entry(expected: Mapping[str, Any], got: Mapping[str, Any], what: str) -> str:
    def differs(key: str) -> bool:
        return key not in expected or key not in got or not _equal(expected[key], got[key])

    key = next(filter(differs, [*expected, *got]))
    if key not in expected:
        return f"Expected no {shown(key)} in {what}; yours is {shown(got[key])}."
    if key not in got:
        return f"Expected {shown(key)} in {what} to be {shown(expected[key])}; yours has none."
    want, have = _both_shown(expected[key], got[key])
    return f"Expected {shown(key)} in {what} to be {want}; yours is {have}."


def same_sequence(expected: Iterable[Any], got: Any, *, what: str) -> Mismatch | None:
    """Compare a list in order; show the first position that differs. `what` is a noun, as in `same_value`."""
    want = [_plain(each) for each in expected]
    if not isinstance(got, list):
        return Mismatch(f"Expected {what} to be a list; yours is {shown(got)}.", want, got)
    have = [_plain(each) for each in got]
    for at, (left, right) in enumerate(zip(want, have, strict=False)):
        if not _equal(left, right):
            expected_text, own_text = _both_shown(want, have)
            sentence = f"Expected {what} to be {expected_text}; yours is {own_text}: position {at} differs."
            return Mismatch(sentence, want, have)
    if len(want) != len(have):
        expected_text, own_text = _both_shown(want, have)
        return Mismatch(f"Expected {what} to be {expected_text}; yours is {own_text}.", want, have)
    return None


def same_items(expected: Iterable[Any], got: Any, *, what: str) -> Mismatch | None:
    """Compare multisets: order is free, and the sentence distinguishes missing items from repeated ones."""
    want = [_plain(each) for each in expected]
    if not isinstance(got, list):
        return Mismatch(f"Expected {what} as a list; yours is {shown(got)}.", want, got)
    have = [_plain(each) for each in got]
    missing = _minus(want, have)
    extra = _minus(have, want)
    if not missing and not extra:
        return None
    return Mismatch(_missing_or_extra(what, missing, extra, want), want, have)


def _missing_or_extra(what: str, missing: list[Any], extra: list[Any], want: list[Any]) -> str:
    first = missing[0] if missing else min(extra, key=lambda each: (len(shown(each)), shown(each)))  # in any order
    expected = _count(first, want)
    got = expected - _count(first, missing) + _count(first, extra)
    if expected and got:
        return f"Expected {shown(first)} {_times(expected)} among {what}; yours have it {_times(got)}."
    if not missing:
        return f"Expected {what} without {shown(first)}; yours have it."
    if not extra:
        return f"Expected {shown(first)} among {what}; yours lack it."
    most_similar = min(extra, key=lambda each: (-_equal_fields(first, each), len(shown(each)), shown(each)))
    want_text, own_text = _both_shown(first, most_similar)
    return f"Expected {want_text} among {what}; yours have {own_text}."


def _count(value: Any, values: list[Any]) -> int:
    return [key_of(each) for each in values].count(key_of(value))


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _equal_fields(row: Any, other: Any) -> int:
    """Return how many fields of two rows are equal; 0 for values that are not rows."""
    if isinstance(row, dict) and isinstance(other, dict):
        return sum(name in other and _equal(value, other[name]) for name, value in row.items())
    both_are_rows = isinstance(row, list) and isinstance(other, list)
    return sum(map(_equal, row, other)) if both_are_rows else 0


def same_counts(expected: Mapping[str, int] | Iterable[Any], got: Any, *, what: str = "counts") -> Mismatch | None:
    """Compare pairs (key, count), in any order, each key once.

    The sentence says which key is wrong, missing, unexpected or repeated (a sign of counts that were not merged).
    Example: same_counts({"a": 2}, [["a", 1]]) -> Mismatch('Expected ("a", 2); your counts have ("a", 1).')
    """
    want = dict(expected.items() if isinstance(expected, Mapping) else expected)
    if not _is_pairs(got):
        return Mismatch(f"Expected pairs (key, count); your {what} are {shown(got)}.", sorted(want.items()), got)
    have: dict[Any, list[Any]] = {}
    for key, count in got:
        have.setdefault(key_of(key), []).append((key, count))
    return _first_wrong_count(want, have, got, what)


def _first_wrong_count(want: dict[Any, int], have: dict[str, list[Any]], got: list[Any], what: str) -> Mismatch | None:
    evidence = (sorted(([k, v] for k, v in want.items()), key=key_of), got)
    wanted = {key_of(key) for key in want}
    extra = [pair for key, pairs in have.items() if key not in wanted for pair in pairs]
    for key, count in sorted(want.items(), key=lambda item: (len(str(item[0])), str(item[0]))):
        pairs = have.get(key_of(key), [])
        if len(pairs) > 1:
            sentence = (
                f"Expected {shown((key, count))} once; your {what} have {len(pairs)} entries for it: {shown(pairs)}."
            )
            return Mismatch(sentence, *evidence)
        if not pairs or not _equal(_plain(count), _plain(pairs[0][1])):
            actual = pairs or extra[:2]
            tail = f"your {what} have {' and '.join(shown(p) for p in actual)}" if actual else f"your {what} lack it"
            return Mismatch(f"Expected {shown((key, count))}; {tail}.", *evidence)
    if extra:
        return Mismatch(f"Your {what} have {shown(extra[0])}, which is not in the input.", *evidence)
    return None


def _is_pairs(got: Any) -> bool:
    return isinstance(got, list) and all(isinstance(each, list | tuple) and len(each) == 2 for each in got)


def _minus(left: list[Any], right: list[Any]) -> list[Any]:
    """Return the multiset difference: items of `left` that `right` has fewer of, in the order of `left`."""
    spare = Counter(key_of(each) for each in right)
    rest = []
    for each in left:
        if spare[key_of(each)] > 0:
            spare[key_of(each)] -= 1
        else:
            rest.append(each)
    return rest


def key_of(value: Any) -> str:
    """Return a text that two values share if they are equal by the rule of this module, for sets and counts of values.

    Example: key_of(1.0) -> "1"
    """
    return json.dumps(_with_whole_numbers(_plain(value)), sort_keys=True, ensure_ascii=False)


def _with_whole_numbers(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_whole_numbers(each) for each in value]
    if isinstance(value, dict):
        return {key: _with_whole_numbers(each) for key, each in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _plain(value: Any) -> Any:
    """Return a value in JSON's form: tuples as lists, keys as strings."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key_text(key): _plain(each) for key, each in value.items()}
    return value


def _equal(left: Any, right: Any, tolerance: float = 0.0) -> bool:
    """Return whether two plain values are equal; `tolerance` applies to a number itself, not to numbers in a list."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_equal(each, right[key]) for key, each in left.items())
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right or _is_near(left, right, tolerance)
    return bool(left == right)


def _is_near(left: float, right: float, tolerance: float) -> bool:
    """Return whether two different numbers are within `tolerance`; integers of any size are compared exactly."""
    try:
        return tolerance > 0 and abs(left - right) <= tolerance
    except OverflowError:  # an integer too large for a float, compared with a float
        return False
