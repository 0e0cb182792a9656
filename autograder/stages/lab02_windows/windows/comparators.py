"""Comparisons of a stream's answers after its batches.

Rows can hold any JSON value. Comparators leave a value of an unexpected form unchanged, so that the message shows it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from autograder.checks import Mismatch, Rows, same_counts, same_sequence
from autograder.checks.compare import shown

Compare = Callable[[Any, Any, str], Mismatch | None]  # (expected, rows of a slide, "the window that …")


def at_each_slide(expected: Mapping[int, Any], rows: Rows, compare: Compare) -> Mismatch | None:
    """Return the first batch whose answer differs or is missing."""
    answers = {slide["at_batch"]: slide["rows"] for slide in reversed(rows["slides"])}
    for at, want in expected.items():
        where = f"the window that ends with batch {at}"
        if at not in answers:
            after = ", ".join(map(str, sorted(answers))) or "none"
            sentence = f"Expected an answer for {where}; your answers come after these batches: {after}."
            return Mismatch(sentence, list(expected), sorted(answers))
        wrong = compare(want, answers[at], where)
        if wrong:
            return wrong
    return None


def same_slides(expected: Sequence[int], rows: Rows, every: int) -> Mismatch | None:
    """Require answers after exactly these batches; later answers than the last batch of the case do not matter."""
    answered = [slide["at_batch"] for slide in rows["slides"] if slide["at_batch"] <= max(expected)]
    if not same_sequence(expected, answered, what="batches"):
        return None
    after, given = (", ".join(map(str, batches)) or "none" for batches in (expected, answered))
    sentence = f"Expected answers after batch {after} only, with a slide of {every}; yours come after batch {given}."
    return Mismatch(sentence, list(expected), answered)


# Pairs (key, count) of one slide


def same_keys(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    """Compare which keys have a row; `no_zeros` judges rows with zero."""
    if not are_pairs(got):
        return same_counts(expected, got, what=f"counts of {where}")
    counts = {str(key): count for key, count in got if count != 0}
    if missing := sorted(set(expected) - set(counts)):
        sentence = f"Expected a row for {shown(missing[0])} in {where}; yours has none."
    elif extra := sorted(set(counts) - set(expected)):
        sentence = f"Expected no row for {shown(extra[0])} in {where}; yours has {shown([extra[0], counts[extra[0]]])}."
    else:
        return None
    return Mismatch(sentence, sorted(expected), sorted(counts))


def same_sums(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    """Compare the counts of the expected keys, one row each; `same_keys` judges other keys."""
    return same_counts(expected, only(got, expected), what=f"counts of {where}")


def no_zeros(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    """Look for a row with zero."""
    if not are_pairs(got):
        return same_counts(expected, got, what=f"counts of {where}")
    zero = next((pair for pair in got if pair[1] == 0), None)
    if zero is None:
        return None
    sentence = f"Expected no row for {shown(zero[0])} in {where}, where its sum is zero; yours has {shown(zero)}."
    return Mismatch(sentence, sorted(expected.items()), got)


def only(pairs: Any, keys: Collection[Any]) -> Any:
    """Return the pairs of these keys; anything but a list of pairs is returned unchanged."""
    if not are_pairs(pairs):
        return pairs
    return [pair for pair in pairs if isinstance(pair[0], str) and pair[0] in keys]


def are_pairs(value: Any) -> bool:
    """Return whether `value` is a list of lists of two."""
    return isinstance(value, list) and all(isinstance(each, list) and len(each) == 2 for each in value)


def is_numbers(read: Any, least: int) -> bool:
    """Return whether `read` is a list of at least so many whole numbers."""
    return isinstance(read, list) and len(read) >= least and all(type(each) is int for each in read)
