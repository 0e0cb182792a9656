"""What several checks of Lab 2 do with rows before they compare them.

Rows may hold anything that JSON can; what has another form than expected is left as it is, for the comparison to show.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from autograder.checks import Case, Mismatch, Rows
from autograder.checks.compare import shown

FEW_STEPS = 8


def no_dstream(task: str, rows: Rows) -> Mismatch | None:
    """A task that returned something else, or rejected arguments that can be meant."""
    return no_result(task, "a DStream", rows)


def no_result(call: str, kind: str, rows: Rows) -> Mismatch | None:
    """Rows of a drive that got no `kind`: the learner's code returned something else, or raised ValueError."""
    if "rejected" in rows:
        return Mismatch(f"Expected {call} to return {kind}; yours raises ValueError: {rows['rejected']}.", kind)
    if "returned" in rows:
        return Mismatch(f"Expected {call} to return {kind}; yours returns {rows['returned']}.", kind, rows["returned"])
    return None


# Pairs (key, count)


def only(pairs: Any, keys: Collection[Any]) -> Any:
    """The pairs of these keys; what is no list of pairs is left as it is."""
    return [pair for pair in pairs if _key_of(pair) in keys] if are_pairs(pairs) else pairs


def without_zeros(pairs: Any) -> Any:
    """The pairs whose count is not zero; what is no list of pairs is left as it is."""
    return [pair for pair in pairs if pair[1] != 0] if are_pairs(pairs) else pairs


def are_pairs(value: Any) -> bool:
    """Whether this is a list of lists of two."""
    return isinstance(value, list) and all(isinstance(each, list) and len(each) == 2 for each in value)


def _key_of(pair: list[Any]) -> Any:
    return pair[0] if isinstance(pair[0], str) else None


# Slides: what a windowed stream said, and after which batch


def at_each_slide(
    expected: Mapping[int, Any],
    rows: Rows,
    field: str,
    compare: Callable[[Any, Any, str], Mismatch | None],
) -> Mismatch | None:
    """The first difference between what was expected after a batch and what came; a slide without an answer is one."""
    answers = {slide["at_batch"]: slide[field] for slide in reversed(rows["slides"])}
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


def slides_seen(rows: Rows, last_batch: int) -> list[Any]:
    """The batches after which there was an answer; what came after the last batch of the case is none of it."""
    return [slide["at_batch"] for slide in rows["slides"] if slide["at_batch"] <= last_batch]


# Steps of a sliding window


def steps_so_far(steps: Sequence[Sequence[Any]], at: int) -> str:
    """The steps before the one at position `at`, as words; of many only the last few.

    Example: steps_so_far([["add", 5], ["expire"], ["result"]], 2) -> "add 5, expire"
    """
    before = [" ".join(shown(part) if number else str(part) for number, part in enumerate(step)) for step in steps[:at]]
    hidden = len(before) - FEW_STEPS
    told = [f"{hidden} steps", *before[hidden:]] if hidden > 1 else before
    return ", ".join(told) or "nothing"


def answering(steps: Iterable[Sequence[Any]]) -> list[int]:
    """The positions of the steps that give an answer: every result, and every expire that finds nothing.

    Example: answering([["expire"], ["add", 5], ["result"], ["expire"]]) -> [0, 2]
    """
    inside, found = 0, []
    for at, (verb, *_) in enumerate(steps):
        if verb == "result" or (verb == "expire" and inside == 0):
            found.append(at)
        inside = max(0, inside + {"add": 1, "expire": -1}.get(verb, 0))
    return found


def inputs(case: Case, *names: str) -> str:
    """Some inputs of a case as arguments.

    Example: inputs({"k": 2, "x": 1}, "k") -> "k=2"
    """
    return ", ".join(f"{name}={shown(case[name])}" for name in names)
