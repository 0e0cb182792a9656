"""results.json of one submission: a superset of Gradescope's format.

Equal inputs give equal bytes, `timing` and the figures of races aside.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

from autograder.checks.teaching import invariants
from autograder.course import Course
from autograder.intake import Refused, Submission
from autograder.judge.aimed import aimed_at_the_reader
from autograder.judge.chain import Chain
from autograder.judge.outcomes import Driven
from autograder.judge.racing import Raced
from autograder.judge.verdicts import Verdict
from autograder.sandbox.reading import writable

FORGED = "Something other than the runner wrote to the result channel; it was not used."


@dataclass(frozen=True)
class Circumstances:
    """How a submission was judged."""

    course: Course
    sandbox: str
    seed: str


def seed_id(seed: str) -> str:
    """A short name for a seed that does not give it away."""
    return hashlib.sha256(f"streamlab seed {seed}".encode()).hexdigest()[:12]


def results_of(
    submission: Submission,
    verdicts: list[Verdict],
    races: list[Raced],
    driven: Driven,
    how: Circumstances,
    total_s: float,
    chain: Chain | None = None,
) -> dict[str, Any]:
    """The results object of one submission."""
    lab = how.course.labs[submission.lab]
    ordered = [v for task in lab.tasks for v in [*verdicts, *(r.verdict for r in races)] if v.task == task]
    results = {
        "score": round(sum(v.points for v in ordered), 2),
        "max_score": round(sum(v.max_points for v in ordered), 2),
        "tests": [_test(submission.lab, v) for v in ordered],
        "streamlab": {
            **_head(submission.lab, submission.name, how),
            "checks": [check_as_json(submission.lab, v) for v in verdicts],
            "races": [_race(r) for r in races],
            "notes": _notes(submission, ordered, races, driven),
            "fallbacks": (chain or Chain()).fallbacks(),
            "limits_hit": driven.limits_hit,
            "timing": _timing(driven, verdicts, total_s),
        },
    }
    return dict(writable(results))


def _notes(submission: Submission, verdicts: list[Verdict], races: list[Raced], driven: Driven) -> list[str]:
    """What has to be said of the submission as a whole, each thing once."""
    noticed = [*driven.noticed, *(note for raced in races for note in raced.noticed)]
    forged = [FORGED] if driven.not_believed or any(raced.not_believed for raced in races) else []
    notes = [*submission.notes, *driven.notes, *noticed, *forged]
    sentences = [text for v in verdicts for text in (v.sentence, v.evidence.get("got", ""))]
    said = [submission.name, *notes, *driven.limits_hit, *sentences]
    return list(dict.fromkeys([*notes, *aimed_at_the_reader(said, driven.printed)]))


def results_of_refused(path_name: str, refused: Refused, how: Circumstances) -> dict[str, Any]:
    """The results object of a file that could not be judged: no points, and why."""
    lab = how.course.labs.get(refused.lab or "")
    checks = [(t, c, p) for t, task in lab.tasks.items() for c, p in task.checks.items()] if lab else []
    verdicts = [Verdict(t, c, c.replace("_", " "), "error", 0.0, p, f"Not judged: {refused}.") for t, c, p in checks]
    results = {
        "score": 0.0,
        "max_score": round(lab.judged_points, 2) if lab else 0.0,
        "tests": [_test(refused.lab or "", v) for v in verdicts],
        "streamlab": {
            **_head(refused.lab, path_name, how),
            "checks": [check_as_json(refused.lab or "", v) for v in verdicts],
            "races": [],
            "notes": [f"{refused}.", *aimed_at_the_reader([path_name, str(refused)], "")],
            "fallbacks": [],
            "limits_hit": [],
            "timing": {},
        },
    }
    return dict(writable(results))


def _head(lab: str | None, name: str, how: Circumstances) -> dict[str, Any]:
    title = how.course.labs[lab].title if lab in how.course.labs and lab else ""
    return {
        "course": how.course.course,
        "lab": lab,
        "lab_title": title,
        "release": how.course.release,
        "submission": name,
        "seed_id": seed_id(how.seed),
        "sandbox": how.sandbox,
    }


def _test(lab: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "name": f"{lab}/{verdict.task}/{verdict.check}",
        "score": verdict.points,
        "max_score": verdict.max_points,
        "status": "passed" if verdict.points == verdict.max_points else "failed",
        "output": verdict.sentence,
        "visibility": "visible",
    }


def check_as_json(lab: str, verdict: Verdict) -> dict[str, Any]:
    """One entry of `checks`; how long it took stands in `timing`, where figures that vary belong."""
    return {**_claim(verdict), "evidence": spelled_out(lab, verdict), "seconds": 0.0}


def _claim(verdict: Verdict) -> dict[str, Any]:
    return {
        "task": verdict.task,
        "check": verdict.check,
        "title": verdict.title,
        "verdict": verdict.verdict,
        "points": verdict.points,
        "max_points": verdict.max_points,
        "sentence": verdict.sentence,
    }


def spelled_out(lab: str, verdict: Verdict) -> dict[str, str]:
    """The evidence with the invariant's text in place of its number, and the way to the first hint."""
    evidence = dict(verdict.evidence)
    if evidence.get("invariant", "").isdigit():
        number = int(evidence["invariant"])
        evidence["invariant"] = f"Invariant {number}: {invariants(lab).get(number, '')}"
    if verdict.verdict in ("fail", "error", "timeout", "skipped"):
        evidence["hint"] = f"Hint 1 of 3: ./lab hint {lab}/{verdict.task}"
    return evidence


def _race(raced: Raced) -> dict[str, Any]:
    ratio = raced.ratio
    rates = _median_rates(raced)
    return {
        **_claim(raced.verdict),
        "ratio": round(ratio.value, 3) if ratio else None,
        "low": round(ratio.low, 3) if ratio else None,
        "high": round(ratio.high, 3) if ratio else None,
        "bar": raced.bar,
        "pairs": len(raced.pairs),
        "unit": raced.unit,
        "rate_per_s": rates[0],
        "yardstick_per_s": rates[1],
        "samples": [[round(mine), round(yardstick)] for mine, yardstick in raced.pairs],
    }


def _median_rates(raced: Raced) -> tuple[int | None, int | None]:
    if not raced.pairs:
        return None, None
    middle = len(raced.pairs) // 2
    mine, yardstick = (sorted(rates)[middle] for rates in zip(*raced.pairs, strict=True))
    return round(mine), round(yardstick)


def _timing(driven: Driven, verdicts: list[Verdict], total_s: float) -> dict[str, Any]:
    return {
        "total_s": round(total_s, 2),
        "load_s": round(driven.load_s, 2),
        "spark_start_s": round(driven.spark_start_s, 2),
        "peak_mb": driven.peak_mb,
        "sandboxes": driven.sandboxes,
        "checks_s": {f"{v.task}/{v.check}": round(v.seconds, 3) for v in verdicts},
    }
