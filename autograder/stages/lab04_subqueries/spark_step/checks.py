"""The checks of `spark_step`: the rows that leave, their place, the shuffles, and the effect of a kill."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_items, same_value
from autograder.checks.compare import key_of, shown
from autograder.checks.rejection import must_answer
from autograder.stages.lab04_subqueries.spark_step import cases, oracle

FORM = "an RDD of (bucket, (state, arrivals that left))"


def _steps(case: Case, rows: Rows) -> tuple[Mismatch | None, list[Any]]:
    """Return the result of each step, a dict with a list of results, or the reason why there is none."""
    steps = rows.get("steps")
    wrong = must_answer("spark_step", FORM, rows)
    if wrong is None and not _are_steps(steps, len(case["steps"])):
        wrong = Mismatch(f"Expected {FORM} from each of {len(case['steps'])} steps; yours gives {shown(steps)}.")
    return wrong, [] if wrong else list(steps or [])


def _are_steps(steps: Any, count: int) -> bool:
    return (
        isinstance(steps, list)
        and len(steps) == count
        and all(isinstance(each, dict) and _are_results(each.get("results")) for each in steps)
    )


def _are_results(results: Any) -> bool:
    return isinstance(results, list) and all(
        isinstance(each, list) and len(each) == 3 and isinstance(each[2], list) for each in results
    )


def _in_words(step: dict[str, Any], number: int) -> str:
    return f"batch {number} (until {step['until_ms']} ms)"


def _each_step(case: Case, steps: list[Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
    for number, (step, given) in enumerate(zip(case["steps"], steps, strict=True), 1):
        yield step, given, _in_words(step, number)


def _same_rows(right: list[Any], case: Case, rows: Rows) -> Mismatch | None:
    """Compare the rows that leave each bucket in each batch; no bucket may occur twice."""
    wrong, steps = _steps(case, rows)
    if wrong:
        return wrong
    for left, (_, given, name) in zip(right, _each_step(case, steps), strict=True):
        numbers = [bucket for bucket, _, _ in given["results"]]
        times = Counter(map(key_of, numbers))
        if twice := [bucket for bucket in numbers if times[key_of(bucket)] > 1]:
            return Mismatch(
                f"Expected one result for bucket {shown(twice[0])} in {name}; yours has several.", 1, numbers
            )
        expected, got = _by_bucket(left), {key_of(bucket): rows for bucket, _, rows in given["results"]}
        for bucket in {key_of(each): each for each in [*(bucket for bucket, _ in left), *numbers]}.values():
            wanted, key = expected[key_of(bucket)], key_of(bucket)
            if wrong := same_items(wanted, got.get(key, []), what=f"rows that leave bucket {shown(bucket)} in {name}"):
                return wrong
    return None


def _by_bucket(pairs: list[Any]) -> dict[str, list[Any]]:
    found = defaultdict[str, list[Any]](list)
    for bucket, row in pairs:
        found[key_of(bucket)].append(row)
    return found


@check("spark_step", cases=cases.batches, invariant=9)
def batches_add_up_to_the_centralized_answer(case: Case, rows: Rows) -> Mismatch | None:
    """Compare batch by batch, including ties and owners that change between two batches."""
    return _same_rows(oracle.left_per_step(case["steps"]), case, rows)


def _some_rows_of_each_bucket(step: dict[str, Any], given: dict[str, Any], name: str) -> Mismatch | None:
    """Require that each bucket with new rows returns some rows, whatever they are."""
    answering = {key_of(bucket): bucket for bucket, _, left in given["results"] if left}
    silent = [row["b"] for row in step["rows"] if key_of(row["b"]) not in answering]
    if not silent:
        return None
    sentence = f"Expected rows to leave bucket {silent[0]} in {name}; no row leaves yours."
    return Mismatch(sentence, silent[0], list(answering.values()))


@check("spark_step", cases=cases.batches, invariant=5)
def each_bucket_is_processed_by_its_owner(case: Case, rows: Rows) -> Mismatch | None:
    """Require each bucket's result in partition owners(bucket)."""
    wrong, steps = _steps(case, rows)
    for step, given, name in _each_step(case, steps) if wrong is None else ():
        owners = {bucket: owner for bucket, owner in enumerate(step["owners"])}
        owned = [[row["b"], owners[row["b"]]] for row in step["rows"]]
        expected = [list(pair) for pair in sorted(set(map(tuple, owned)))]
        got = [[bucket, partition] for bucket, partition, left in given["results"] if left]
        wrong = wrong or same_items(expected, got, what=f"[bucket, partition] in {name}")
    return wrong


@check("spark_step", cases=cases.batches, invariant=10, after="each_bucket_is_processed_by_its_owner")
def state_is_not_shuffled(case: Case, rows: Rows) -> Mismatch | None:
    """Allow one shuffle for the arrivals, and one more for the state only if the owners have changed."""
    wrong, steps = _steps(case, rows)
    before = case["steps"][0]["owners"]
    for step, given, name in _each_step(case, steps) if wrong is None else ():
        changed, before = step["owners"] != before, step["owners"]
        wrong = wrong or _some_rows_of_each_bucket(step, given, name)
        wrong = wrong or _few_shuffles(given.get("shuffles"), 2 if changed else 1, name)
        wrong = wrong or _state_unmoved(given.get("state_stays"), changed, name)
    return wrong


def _few_shuffles(got: Any, most: int, name: str) -> Mismatch | None:
    if type(got) is int and 1 <= got <= most:
        return None
    many = "1 shuffle" if most == 1 else "at most 2 shuffles"
    return Mismatch(f"Expected {many} in {name}; yours has {shown(got)}.", most, got)


def _state_unmoved(stays: Any, changed: bool, name: str) -> Mismatch | None:
    if changed or stays is True:
        return None
    rule = f"the state to stay in its partitions in {name}, since the owners have not changed"
    return Mismatch(f"Expected {rule}; yours moves it.", True, stays)


@check("spark_step", cases=cases.silent, invariant=7, after="batches_add_up_to_the_centralized_answer")
def time_passes_for_buckets_without_rows(case: Case, rows: Rows) -> Mismatch | None:
    """Require that a bucket with state but without rows also reaches `until_ms`."""
    return _same_rows(oracle.left_per_step(case["steps"]), case, rows)


@check("spark_step", cases=cases.killed, invariant=8, after="batches_add_up_to_the_centralized_answer")
def a_step_that_is_repeated_gives_the_same_rows(case: Case, rows: Rows) -> Mismatch | None:
    """Require no job in the call; a dying worker fails the action, and the next action is right."""
    right = oracle.left_per_step(case["steps"])
    wrong, steps = _steps(case, rows)
    for _, given, name in _each_step(case, steps) if wrong is None else ():
        wrong = wrong or same_value(0, given.get("jobs"), what=f"the number of jobs started by the call for {name}")
    if wrong is None:
        wrong = same_value(
            True, steps[-1].get("died"), what="whether instances are made inside of tasks, where a worker dies,"
        )
    return wrong or _same_rows(right, case, rows)
