"""The checks of `Profiler` and `Predictor`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, claim, same_value
from autograder.checks.compare import shown
from autograder.stages.lab07_irm.sizing import cases, oracle

RULES = ("rises_slowly", "rises_fast", "falls_fast", "long_queue", "pause_s", "few", "many")
LATEST = 3  # lines of a script that a sentence shows


def _sizes(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the size after each line of the script."""
    expected, limits = (
        oracle.sizes(case),
        dict(zip(("window", "default", "least", "most"), case["limits"], strict=False)),
    )
    call = "Profiler(" + ", ".join(f"{name}={value}" for name, value in limits.items()) + ")"
    got = _answers(rows, "sizes", len(expected))
    if isinstance(got, Mismatch):
        return got
    for at, (want, size) in enumerate(zip(expected, got, strict=True)):
        image = case["script"][at][0]
        observed = [loads for of, loads in case["script"][: at + 1] if of == image and loads is not None]
        after = f"after {_latest(observed, 'tick')}" if observed else "before any load"
        if wrong := same_value(want, size, what=f"size({shown(image)}) of {call} {after}"):
            return wrong
    return None


def _wanted(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the result of each call."""
    expected, got = oracle.wanted(case), _answers(rows, "wanted", len(case["calls"]))
    if isinstance(got, Mismatch):
        return got
    rules = ", ".join(f"{name}={case['rules'][name]:g}" for name in RULES)
    for at, (want, answer) in enumerate(zip(expected, got, strict=True)):
        image = case["calls"][at][0]
        before = [tuple(call[1:]) for call in case["calls"][:at] if call[0] == image]
        history = f"after {_latest(before, 'call')}" if before else "as the first call for this image"
        what = f"wanted({', '.join(map(shown, case['calls'][at]))}) {history}, with {rules},"
        if wrong := same_value(want, answer, what=what):
            return wrong
    return None


def _answers(rows: Rows, name: str, count: int) -> list[Any] | Mismatch:
    got = rows.get(name)
    if isinstance(got, list) and len(got) == count:
        return got
    given = rows.get("text") if "rejected" in rows else got
    return Mismatch(f"Expected an answer to each of {count} calls; yours gives {shown(given)}.", count, got)


def _latest(lines: list[Any], kind: str) -> str:
    """Return the latest lines as words, with the number of earlier ones: "2 earlier ticks and then …"."""
    earlier, latest = len(lines) - LATEST, ", ".join(shown(each) for each in lines[-LATEST:])
    if earlier > 0:
        return f"{earlier} earlier {kind}{'s' if earlier > 1 else ''} and then {latest}"
    return f"the {kind}{'s' if len(lines) > 1 else ''} {latest}"


CHAIN = "lab02_windows/SlidingSum"
AFTER: dict[str, str | tuple[str, ...]] = {
    "a_profile_follows_a_change_within_its_window": "a_profile_is_the_mean_over_engines_of_the_last_ticks",
    "unknown_images_have_the_default_size_and_limits_hold": "a_profile_is_the_mean_over_engines_of_the_last_ticks",
    "your_lab_2_sums_slide_under_the_profile": (
        "a_profile_follows_a_change_within_its_window",
        "unknown_images_have_the_default_size_and_limits_hold",
    ),
    "each_rule_holds_at_its_boundary": "no_more_engines_are_requested_than_messages_wait",
    "no_more_engines_are_requested_than_messages_wait": "a_pause_is_per_image_and_ends_on_time",
    "the_rate_is_per_second_since_the_last_call": "each_rule_holds_at_its_boundary",
}

CLAIMS = [
    claim(task, name, made, judge, invariant=invariant, chain=chain, after=AFTER.get(name, ()))
    for task, name, made, judge, invariant, chain in (
        ("Profiler", "a_profile_is_the_mean_over_engines_of_the_last_ticks", cases.means, _sizes, 10, None),
        ("Profiler", "a_profile_follows_a_change_within_its_window", cases.changes, _sizes, 10, None),
        ("Profiler", "unknown_images_have_the_default_size_and_limits_hold", cases.limited, _sizes, 10, None),
        ("Profiler", "your_lab_2_sums_slide_under_the_profile", cases.chained, _sizes, 10, CHAIN),
        ("Predictor", "each_rule_holds_at_its_boundary", cases.boundaries, _wanted, 9, None),
        ("Predictor", "a_pause_is_per_image_and_ends_on_time", cases.pauses, _wanted, 9, None),
        ("Predictor", "no_more_engines_are_requested_than_messages_wait", cases.coming, _wanted, 9, None),
        ("Predictor", "the_rate_is_per_second_since_the_last_call", cases.rates, _wanted, 9, None),
    )
]
