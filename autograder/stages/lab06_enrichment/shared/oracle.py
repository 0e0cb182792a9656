"""A shared cache as one dictionary that a fault makes unreachable."""

from typing import Any

from autograder.checks import Case

OPERATIONS = ("get_many", "get", "forget", "ages")


def is_valid(case: Case) -> bool:
    """Return whether the times are valid."""
    return 0 < float(case["ttl_s"]) < float("inf") and case["rest_s"] >= 0


def seen(case: Case) -> list[list[Any]]:
    """Return [answer, keys of each call to the store, most tries] of each operation, in the form of the drive.

    The answer of `ages` is the number of entries.
    """
    rows = {tuple(key): row for *key, row in case["rows"]}
    kept: dict[tuple[str, ...], str | None] = {}
    now_s, works, rests = 0.0, True, [0.0] * case["workers"]
    found: list[list[Any]] = []
    for name, *arguments in case["script"]:
        if name == "change":
            rows[tuple(arguments[0])] = arguments[1]
        elif name == "advance":
            now_s += arguments[0]
        elif name == "flush":
            kept.clear()
        elif name in ("kill", "pause", "resume"):
            works = name == "resume"
        elif name == "ages":
            found.append([len(kept), [], 0])
        elif name == "forget":
            if works:
                for key in arguments[1]:
                    kept.pop(tuple(key), None)
            found.append([works or not arguments[1], [], 1 if arguments[1] else 0])
        else:
            worker, asked = (
                arguments[0],
                [tuple(key) for key in (arguments[1] if name == "get_many" else [arguments[1]])],
            )
            resting, reachable = now_s < rests[worker], works and now_s >= rests[worker]
            missing = sorted(key for key in asked if not (reachable and key in kept))
            if not asked:
                tries = 0
            elif reachable:
                kept |= {key: rows.get(key) for key in missing}
                tries = 1 + bool(missing)
            else:
                tries = 0 if resting else 1
                rests[worker] = rests[worker] if resting else now_s + case["rest_s"]
            known = {key: kept[key] if reachable else rows.get(key) for key in asked}
            answer = sorted([*key, row] for key, row in known.items() if row is not None)
            found.append(
                [answer if name == "get_many" else known[asked[0]], [[list(k) for k in missing]] * bool(missing), tries]
            )
    return found
