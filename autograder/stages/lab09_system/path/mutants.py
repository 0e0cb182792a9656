"""Wrong versions of `route` and `alerts`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

# route

WAY = "every_record_has_exactly_one_way"
BYTES = "a_dead_letter_keeps_every_byte"
AHEAD = "a_clock_ahead_is_found_without_a_clock"
DEFECT = "a_defect_costs_one_record"
OWN = "your_own_lab_8_reads_positions_and_fences"

reference("route")

mutant("nested_brackets_are_a_defect", WAY, ("except (ValueError, RecursionError):", "except ValueError:"))
mutant(
    "a_type_error_is_unreadable", DEFECT, ("(ValueError, RecursionError)", "(ValueError, RecursionError, TypeError)")
)
mutant("bytes_are_replaced", BYTES, ("record.value.decode()", 'record.value.decode(errors="replace")'))
mutant(
    "ahead_of_the_clock_of_now",
    AHEAD,
    ("record.time_ms > record.received_ms + ahead_ms", "record.time_ms > __import__('time').time() * 1000 + ahead_ms"),
)


# Reads positions and fences by itself, without Lab 8: no stub is asked, and nothing is validated.
@mutant("reads_json_itself", [WAY, AHEAD, DEFECT, OWN])
def route(record, ahead_ms):
    import json

    try:
        key, value = record.key.decode(), record.value.decode()
        told = json.loads(value)
        if record.topic == "payments":
            row = read_payment(key, value, record.time_ms, record.offset)
        elif record.topic == "positions":
            row = Position(told["mover"], record.time_ms, float(told["lon"]), float(told["lat"]), record.offset)
        else:
            row = Change(key, record.time_ms, told["coordinates"], record.offset)
    except Exception:
        return Dead(record, "unreadable")
    is_ahead = not isinstance(row, Change) and record.time_ms > record.received_ms + ahead_ms
    return Dead(record, "ahead") if is_ahead else row


# alerts

SAME = "alerts_are_those_of_the_logs"
DEAD = "dead_letters_are_complete_and_move_no_watermark"
ASKED = "the_store_is_asked_once_for_each_shard_and_batch"
REJECTED = "invalid_shards_are_rejected"
OWN_LOG = "the_same_alerts_come_from_your_own_log"

reference("alerts")

# A dead letter has a time, too, so that a clock that is a year ahead moves the watermark.
mutant("the_watermark_before_route", [SAME, DEAD], ("time_ms, own = None, [0]", "time_ms, own = values[5], [0]"))
mutant("a_fence_goes_to_one_shard", [SAME, OWN_LOG], ("own = range(shards)", "own = [0]"))
mutant(
    "asks_row_by_row",
    ASKED,
    (
        "per_worker(store_name, open_store).get_many(accounts) if accounts else {}",
        "{each: per_worker(store_name, open_store).get_many([each])[each] for each in accounts}",
    ),
)
mutant("no_shards_are_valid", REJECTED, ("shards < 1", "shards < 0"))

survivor(
    "alerts",
    "if shards < 1 or not 0 <= lateness_s < math.inf:",
    "if shards < 1 or not 0 <= lateness_s != math.inf:",
    reason="equivalent: only infinity is not below infinity",
)
survivor(
    "alerts",
    "each: None if row is NO_ANSWER else limit_of(row)",
    "each: None if row == NO_ANSWER else limit_of(row)",
    reason="equivalent: a row is a text, and equals no other object",
)
