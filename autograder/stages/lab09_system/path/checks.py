"""The checks of `route` and `alerts`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, claim, same_value
from autograder.checks.compare import equal, shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab09_system.path import cases, cases_route, comparators, oracle, oracle_route

# route


def _same_way(case: Case, rows: Rows) -> Mismatch | None:
    expected = oracle_route.answer(case)
    got = [rows.get("kind"), *([rows.get("reason")] if rows.get("kind") == "Dead" else _fields(rows))]
    if equal(expected, got):
        return None
    sentence = f"Expected {_in_words(expected)} for {_record_in_words(case)}; yours gives {_in_words(got)}."
    return Mismatch(sentence, expected, got)


def _same_record(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the record of the dead letter, too."""
    wrong = _same_way(case, rows)
    if wrong or oracle_route.answer(case)[0] != "Dead":
        return wrong
    return same_value(case["record"], rows.get("record"), what="the record of the dead letter (a letter per byte)")


@check("route", cases=cases_route.dead_letters, invariant=1)
def a_dead_letter_keeps_every_byte(case: Case, rows: Rows) -> Mismatch | None:
    """Compare also which way the record goes."""
    return _same_record(case, rows)


@check(
    "route",
    cases=cases_route.own_reader,
    chain="lab08_geofencing/read_record",
    after="every_record_has_exactly_one_way",
)
def your_own_lab_8_reads_positions_and_fences(case: Case, rows: Rows) -> Mismatch | None:
    """Check also that `read_record` was called, once."""
    wrong = _same_way(case, rows)
    return wrong or same_value(1, rows.get("read"), what=f"the calls of your read_record for {_record_in_words(case)}")


def _fields(rows: Rows) -> list[Any]:
    row = rows.get("row")
    return row if isinstance(row, list) else []


def _in_words(answer: list[Any]) -> str:
    kind, *fields = answer
    if kind == "Dead":
        return f"Dead(record, {shown(fields[0])})"
    return f"{kind}{shown(tuple(fields))}" if fields else str(kind)


def _record_in_words(case: Case) -> str:
    topic, _, _, key, value, time_ms, received_ms = case["record"]
    early_ms = time_ms - received_ms
    clock = f", {early_ms:,} ms ahead with ahead_ms={case['ahead_ms']:,}" if early_ms > 0 else ""
    return f"the record of {topic} with the key {_bytes(key)} and the value {_bytes(value)}{clock}"


def _bytes(letters: str | None) -> str:
    """Return letters as the bytes that they stand for, shortened: "b'a'"."""
    text = repr(None if letters is None else letters.encode("latin-1"))
    return text if len(text) <= 100 else text[:99] + "…"


AFTER = {
    "a_clock_ahead_is_found_without_a_clock": "every_record_has_exactly_one_way",
    "a_defect_costs_one_record": "every_record_has_exactly_one_way",
}

CLAIMS = [
    claim("route", name, made, judge, invariant=invariant, after=AFTER.get(name, ()))
    for name, made, judge, invariant in (
        ("every_record_has_exactly_one_way", cases_route.one_way, _same_way, 1),
        ("a_clock_ahead_is_found_without_a_clock", cases_route.ahead, _same_record, 2),
        ("a_defect_costs_one_record", cases_route.defects, _same_way, 1),
    )
]


# alerts


@check("alerts", cases=cases.played, invariant=4)
def alerts_are_those_of_the_logs(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the rows of all payments that can be read."""
    return comparators.same_alerts(case, oracle.noted(case), rows)


@check("alerts", cases=cases.played, invariant=3)
def dead_letters_are_complete_and_move_no_watermark(case: Case, rows: Rows) -> Mismatch | None:
    """Compare dead letters with their records, and expect that Spark drops nothing."""
    return comparators.same_dead_letters(case, oracle.dead(case), rows) or comparators.none_dropped(rows)


@check("alerts", cases=cases.played)
def the_store_is_asked_once_for_each_shard_and_batch(case: Case, rows: Rows) -> Mismatch | None:
    """Count the calls of the store and the accounts in them."""
    return comparators.asked_once(case, oracle.asked(case), rows)


@check("alerts", cases=cases.described, invariant=14)
def invalid_shards_are_rejected(case: Case, rows: Rows) -> Mismatch | None:
    """Expect answers to valid arguments, too."""
    is_valid, call = oracle.is_valid(case), comparators.call_of(case)
    if is_valid:
        return must_answer(call, "a streaming DataFrame", rows) or comparators.described(call, rows)
    return must_reject(call, rows)


@check(
    "alerts",
    cases=cases.own_log,
    chain="lab03_log/PartitionLog",
    after=("alerts_are_those_of_the_logs", "dead_letters_are_complete_and_move_no_watermark"),
)
def the_same_alerts_come_from_your_own_log(case: Case, rows: Rows) -> Mismatch | None:
    """Compare alerts and dead letters of records that the learner's own log stored."""
    noted, dead = oracle.noted(case), oracle.dead(case)
    return comparators.same_alerts(case, noted, rows) or comparators.same_dead_letters(case, dead, rows)
