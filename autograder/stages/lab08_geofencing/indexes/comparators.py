"""Describes scripts of the indexes, and finds the first answer that differs."""

from functools import lru_cache
from typing import Any

from autograder.checks import Case, Mismatch
from autograder.checks.compare import equal, shown

AT_MOST = 3  # exact tests for each fence whose box contains the place
BEFORE = 4  # calls that a message shows


def call_of(call: list[Any]) -> str:
    """Return a call as text: 'near(179.999, 0, 300)'. A fence is shown by its bounding box."""
    name, *arguments = call
    if name == "put" and len(arguments) == 5:
        return f"put(Position({', '.join(map(shown, arguments))}))"
    return f"{name}({', '.join(_argument(each) for each in arguments)})"


def _argument(value: Any) -> str:
    if not isinstance(value, list):
        return shown(value)
    lons, lats = zip(*(place for shell, *_ in value for place in shell), strict=True)
    holes = [hole for _, *holes in value for hole in holes]
    return f"box ({min(lons)}, {min(lats)})–({max(lons)}, {max(lats)}){' with a hole' if holes else ''}"


def story(case: Case, at: int, names: set[Any]) -> str:
    """Return the end of a message: the calls before one.

    They are the calls about these fences or movers, or the last ones if there are no such calls.
    """
    script = case["script"]
    changes = [call for call in script[:at] if call[0] in ("put", "remove")]
    about = [call_of(call) for call in changes if call[1] in names] or [call_of(call) for call in changes]
    before = ", ".join(about[-BEFORE:]) or "nothing"
    return f"Before it: {'…, ' if len(about[-BEFORE:]) < len(changes) else ''}{before}.{_rule(case, script[at][0])}"


def _rule(case: Case, call: str) -> str:
    if call == "near" and "times" in case:
        return f" In this case, `metres` gives {case['times']} times the distance."
    return (
        " In this check, `exact` is true in the eastern half of a box, outside holes."
        if call in ("at", "within")
        else ""
    )


def _differing(want: Any, answer: Any) -> set[Any]:
    """Return the fences or movers that only one of two answers has."""
    if not isinstance(want, list) or not isinstance(answer, list):
        return set()
    return set(want) ^ {each for each in answer if isinstance(each, str)}


def first_wrong(case: Case, expected: list[Any], got: Any, numbers: list[int]) -> Mismatch | None:
    """Return the first call with another answer; `numbers` are the positions of the calls that have one."""
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected {len(expected)} answers; yours are {shown(got)}.", expected, got)
    for at, want, answer in zip(numbers, expected, got, strict=True):
        if not equal(want, answer):
            sentence = f"Expected {call_of(case['script'][at])} to return {shown(want)}; yours gives {shown(answer)}."
            sentence += f" {story(case, at, _differing(want, answer))}"
            return Mismatch(sentence, want, answer)
    return None


def too_many_objects(case: Case, at: Any) -> Mismatch:
    """Return a mismatch for the call in which the objects were used up."""
    call = call_of(case["script"][at]) if type(at) is int and 0 <= at < len(case["script"]) else shown(at)
    most = f"{case['most_objects']:,} objects"
    return Mismatch(f"Expected a few fences of all sizes to need fewer than {most}; yours needs more in {call}.")


def too_many_tests(case: Case, boxed: int, tested: Any) -> Mismatch | None:
    """Check that there are at most three exact tests for each fence whose box contains the place."""
    if type(tested) is int and 0 <= tested <= AT_MOST * boxed:
        return None
    places = sum(call[0] == "at" for call in case["script"])
    what = (
        f"`exact` to be called at most {AT_MOST * boxed} times for {places} places, which lie in {boxed} bounding boxes"
    )
    return Mismatch(f"Expected {what}; yours calls it {shown(tested)} times.", AT_MOST * boxed, tested)


def first_with_more_tests(case: Case, most: list[int], tested: Any) -> Mismatch | None:
    """Return the first question that tests movers far away."""
    if not isinstance(tested, list) or len(tested) != len(most):
        return Mismatch(f"Expected the tests of {len(most)} calls; yours are {shown(tested)}.", most, tested)
    for call, limit, answer in zip(case["script"], most, tested, strict=True):
        if type(answer) is not int or answer > limit:
            what = f"{call_of(call)} to test at most {limit} movers, the number in its box or within 0.05° of it"
            return Mismatch(f"Expected {what}; yours tests {shown(answer)}.", limit, answer)
    return None


@lru_cache(maxsize=2)
def _lookups(content: bytes) -> list[list[str]]:
    """Return the fences of each place of a throughput workload, by a scan of the eastern halves of all boxes."""
    halves, answers = list[tuple[str, float, float, float, float]](), list[list[str]]()
    for line in content.decode("ascii").splitlines():
        name, *numbers = line.split()
        lons, lats = list(map(float, numbers[::2])), list(map(float, numbers[1::2]))
        if name == "at":
            (x,), (y,) = lons, lats
            answers.append(
                sorted(f for f, west, south, east, north in halves if west <= x <= east and south <= y <= north)
            )
        else:
            halves.append((name, (min(lons) + max(lons)) / 2, min(lats), max(lons), max(lats)))
    return answers


def first_wrong_lookup(content: bytes, got: Any) -> Mismatch | None:
    """Return the first place of a turn with other fences."""
    expected = _lookups(content)
    if not isinstance(got, list) or len(got) != len(expected):
        return Mismatch(f"Expected {len(expected)} answers; yours are {shown(got)}.")
    for at, (want, answer) in enumerate(zip(expected, got, strict=True)):
        if want != answer:
            sentence = f"Expected lookup {at} to return {shown(want)}; yours returns {shown(answer)}."
            return Mismatch(sentence, want, answer)
    return None
