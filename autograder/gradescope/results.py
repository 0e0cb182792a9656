"""Writes results in the format that Gradescope documents: a test for each check, with its message as text."""

from collections.abc import Iterator, Mapping
from typing import Any

from autograder.judge.results import open_checks

OUTPUT_CHARS_MAX = 4_000
NEVER_JUDGED = "Checks that could not be decided count 0 until you hand in again:"


def for_gradescope(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return the judge's results in Gradescope's format. The mark is the sum of the tests."""
    ours = results["streamlab"]
    evidence = {f"{each['task']}/{each['check']}": each["evidence"] for each in ours["checks"]}
    tests = [_test(each, evidence.get(each["name"].partition("/")[2], {})) for each in results["tests"]]
    shown = {"output": "\n".join(_about(results)), "visibility": "visible", "stdout_visibility": "hidden"}
    return {**shown, "tests": tests} if tests else {**shown, "score": 0}


def nothing_to_judge(lab: str) -> dict[str, Any]:
    """Return the results of a submission that has no notebook of the lab."""
    text = f"No notebook of {lab} is among the files that you handed in. Hand in {lab}.ipynb."
    return {"score": 0, "output": text, "visibility": "visible", "stdout_visibility": "hidden"}


def _test(test: Mapping[str, Any], evidence: Mapping[str, str]) -> dict[str, Any]:
    lines = [test["output"]]
    if case := evidence.get("smallest_case"):
        lines.append(f"Smallest case that shows it: {case}")
    lines += [evidence[key] for key in ("invariant", "hint") if evidence.get(key) and test["status"] == "failed"]
    keys = ("name", "score", "max_score", "status", "visibility")
    return {**{key: test[key] for key in keys}, "output": "\n".join(lines)[:OUTPUT_CHARS_MAX]}


def _about(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield what concerns the submission as a whole: notes, fallbacks, and what is still open."""
    ours = results["streamlab"]
    yield from ours["notes"]
    yield from (each["sentence"] for each in ours["fallbacks"])
    yield from ours["limits_hit"]
    if open_checks(results):
        yield " ".join([NEVER_JUDGED, *ours["ungraded"]])
    if manual := ours["points"].get("manual"):
        yield f"Not included: manual grading ({manual:g} points)."
