"""The checks of `ReplicatedPartition`: its state after each event of a sequence."""

import json
from functools import partial

from autograder.checks import Case, Mismatch, Rows, claim, same_value
from autograder.checks.rejection import must_answer
from autograder.stages.lab03_log.replication import cases, oracle

STORY_CHARS = 500
EVERYTHING = ("raised", "leader", "isr", "logs", "high_watermark", "acknowledged")


def _same_states(fields: tuple[str, ...], case: Case, rows: Rows) -> Mismatch | None:
    """Compare some fields of the state after each event, up to the first difference."""
    right = oracle.replayed(case)
    wrong = must_answer(_story(case, len(right)), "a partition", rows)
    states = rows["states"] if isinstance(rows.get("states"), list) else []
    for at, expected in enumerate(right):
        got = states[at] if at < len(states) and isinstance(states[at], dict) else {}
        for name in fields:
            what = f"{_named(name)} after {_story(case, at + 1)}"
            wrong = wrong or same_value(expected[name], got.get(name), what=what)
        if wrong:
            return wrong
    return None


def _named(field: str) -> str:
    return {"raised": "the error", "isr": "the ISR"}.get(field, field)


def _story(case: Case, count: int) -> str:
    """Return the first `count` events as calls; of a long story, the last call and its number."""
    calls = [_call(*event) for event in case["events"][:count]]
    made = f"ReplicatedPartition({case['replicas']}, min_isr={case['min_isr']}, lag_ms={case['lag_ms']})"
    story = ", ".join([made, *calls])
    return story if len(story) <= STORY_CHARS else f"call {count} of a long sequence, {calls[-1]}"


def _call(name: str, *arguments: object) -> str:
    """Return a call as text. Example: _call("fetch", 1, 20, 2) -> "fetch(1, 20, at_most=2)"."""
    last = {"append": "acks=", "fetch": "at_most=", "shrink": "", "elect": "unclean="}[name]
    values = [str(each) if isinstance(each, bool) else json.dumps(each) for each in arguments]
    return f"{name}({', '.join([*values[:-1], last + values[-1]])})"


CLAIMS = [
    claim("ReplicatedPartition", name, made, partial(_same_states, fields), invariant=16)
    for name, made, fields in (
        ("the_high_watermark_is_what_all_in_sync_replicas_have", cases.watermarks, ("logs", "high_watermark")),
        ("acks_decides_when_a_record_counts_as_stored", cases.stored, ("raised", "acknowledged")),
        ("a_follower_is_in_sync_while_it_reaches_the_end_in_time", cases.lagging, ("isr", "high_watermark")),
        ("a_clean_election_loses_nothing_below_the_high_watermark", cases.clean, EVERYTHING),
        ("an_unclean_election_loses_what_its_leader_does_not_have", cases.unclean, EVERYTHING),
    )
]
