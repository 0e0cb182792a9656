"""Comparisons of what a stream answered after its batches.

Rows may hold anything that JSON can; what has another form than expected is left as it is, for the comparison to show.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from autograder.checks import Mismatch, Rows, same_counts, same_items, same_sequence
from autograder.checks.compare import shown

Compare = Callable[[Any, Any, str], Mismatch | None]  # (expected, rows of a slide, "the window that …")


def at_each_slide(expected: Mapping[int, Any], rows: Rows, compare: Compare) -> Mismatch | None:
    """The first difference between what was expected after a batch and what came; a slide without an answer is one."""
    answers = {slide["at_batch"]: slide["rows"] for slide in reversed(rows["slides"])}
    for at, want in expected.items():
        where = f"the window that ends with batch {at}"
        if at not in answers:
            after = ", ".join(map(str, sorted(answers))) or "none"
            sentence = f"Expected an answer for {where}; yours has answers after these batches: {after}."
            return Mismatch(sentence, list(expected), sorted(answers))
        wrong = compare(want, answers[at], where)
        if wrong:
            return wrong
    return None


def same_slides(expected: Sequence[int], rows: Rows, every: int) -> Mismatch | None:
    """Answers after just these batches; what came after the last batch of the case is none of it."""
    answered = [slide["at_batch"] for slide in rows["slides"] if slide["at_batch"] <= max(expected)]
    return same_sequence(expected, answered, what=f"answers with slide_batches={every} after the batches")


# Pairs (key, count) of one slide


def same_keys(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    """Which keys have a row; a row with zero is judged by `no_zeros`."""
    if not are_pairs(got):
        return same_counts(expected, got, what=f"counts of {where}")
    keys = {str(key) for key, count in got if count != 0}
    return same_items(sorted(expected), sorted(keys), what=f"keys of {where}")


def same_sums(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    """The counts of the expected keys, each with one row; other keys are judged by `same_keys`."""
    return same_counts(expected, only(got, expected), what=f"counts of {where}")


def no_zeros(expected: Mapping[str, int], got: Any, where: str) -> Mismatch | None:
    """No row with zero."""
    if not are_pairs(got):
        return same_counts(expected, got, what=f"counts of {where}")
    zero = next((pair for pair in got if pair[1] == 0), None)
    if zero is None:
        return None
    sentence = f"Expected no row for {shown(zero[0])} in {where}, where its sum is zero; yours has {shown(zero)}."
    return Mismatch(sentence, sorted(expected.items()), got)


def only(pairs: Any, keys: Collection[Any]) -> Any:
    """The pairs of these keys; what is not a list of pairs is left as it is."""
    if not are_pairs(pairs):
        return pairs
    return [pair for pair in pairs if isinstance(pair[0], str) and pair[0] in keys]


def are_pairs(value: Any) -> bool:
    """Whether this is a list of lists of two."""
    return isinstance(value, list) and all(isinstance(each, list) and len(each) == 2 for each in value)
