"""The right answers by definition: each call looks at the whole script before it and carries no state along."""

import math
from fractions import Fraction
from typing import Any

REJECTED = "ValueError"


def sizes(case: dict[str, Any]) -> list[int]:
    """Return the profile after each line of a script."""
    window, default, least, most = [*case["limits"], 1000][:4]
    script = case["script"]
    return [_size(script[: at + 1], script[at][0], window, default, least, most) for at in range(len(script))]


def _size(lines: list[Any], image: str, window: int, default: int, least: int, most: int) -> int:
    ticks = [loads for of, loads in lines if of == image and loads and any(engines for engines, _ in loads)]
    recent = [load for loads in ticks[-window:] for load in loads]
    if not recent:
        return default
    mean = Fraction(sum(cpu for _, cpu in recent), sum(engines for engines, _ in recent))
    return sorted([least, math.ceil(mean), most])[1]


def wanted(case: dict[str, Any]) -> list[Any]:
    """Return the result of each call of a predictor."""
    answers: list[Any] = []
    for at, (image, now_s, length, *coming) in enumerate(case["calls"]):
        past = [(call, answer) for call, answer in zip(case["calls"][:at], answers, strict=True) if call[0] == image]
        valid = [(call, answer) for call, answer in past if answer != REJECTED]
        if valid and valid[-1][0][1] >= now_s:
            answers.append(REJECTED)
            continue
        rate = Fraction(0)
        if valid:
            _, then_s, before, *_ = valid[-1][0]
            rate = Fraction(length - before) / (Fraction(now_s) - Fraction(then_s))
        requests_s = [call[1] for call, answer in valid if answer > 0]
        pauses = any(now_s - asked_s < case["rules"]["pause_s"] for asked_s in requests_s)
        limit = max(0, length - (coming[0] if coming else 0))
        answers.append(0 if pauses else min(limit, _by_the_rules(case["rules"], rate, length)))
    return answers


def _by_the_rules(rules: dict[str, Any], rate: Fraction, length: int) -> int:
    table = [
        (rate > rules["rises_fast"], rules["many"]),
        (length > rules["long_queue"] and rate > rules["falls_fast"], rules["many"]),
        (rate > rules["rises_slowly"], rules["few"]),
        (length > rules["long_queue"], rules["few"]),
    ]
    return next((int(amount) for holds, amount in table if holds), 0)
