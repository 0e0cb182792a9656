"""Wrong versions of `Watch` and `in_order`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

FOLLOW = "enter_inside_and_exit_follow_each_other"
EVERY = "every_fence_that_contains_the_mover_reports_it"
CHANGED = "a_changed_fence_takes_effect_at_once"
REPEATED = "repeated_and_older_positions_change_nothing"
RESUMES = "a_watch_resumes_from_its_state"
SORTED = "ready_rows_are_sorted_by_time_then_changes_then_offset"
BEYOND = "rows_beyond_the_watermark_wait"
LATE = "late_positions_are_set_aside_and_late_changes_apply_now"
LOST = "no_row_is_lost_or_duplicated_across_calls"

reference("Watch")

# As in FenceX: an intersection is counted, without its later course.
mutant(
    "no_inside",
    [FOLLOW, EVERY, CHANGED, REPEATED, RESUMES],
    ('"ENTER": now - before, "INSIDE": now & before}', '"ENTER": now - before}'),
)
# As in FenceX: one fence per mover.
mutant(
    "one_fence_per_mover",
    [EVERY, CHANGED, REPEATED, RESUMES],
    ("set(self._fences.at(position.lon, position.lat))", "set(self._fences.at(position.lon, position.lat)[:1])"),
)
# As in FenceX: a fence takes effect when the mover moves the next time.
mutant(
    "changes_wait_for_the_next_move",
    [CHANGED, REPEATED, RESUMES],
    ("        for mover in before ^ now:\n", "        before = now = set()\n        for mover in before ^ now:\n"),
)
# As in FenceX: the last arrival wins.
mutant(
    "older_positions_count",
    [REPEATED, RESUMES],
    ("        if not self._movers.put(position):\n            return []\n", "        self._movers.put(position)\n"),
)


reference("in_order")

mutant(
    "positions_first",
    [SORTED, BEYOND, LATE],
    ("(row.time_ms, isinstance(row, Position), row.offset)", "(row.time_ms, isinstance(row, Change), row.offset)"),
)
mutant(
    "the_watermark_itself_waits",
    [SORTED, BEYOND, LATE],
    ("if row.time_ms <= watermark_ms]", "if row.time_ms < watermark_ms]"),
    ("if row.time_ms > watermark_ms], late", "if row.time_ms >= watermark_ms], late"),
)
mutant(
    "late_changes_are_dropped",
    [LATE, LOST],
    ("if isinstance(row, Change) or row.time_ms > done_ms]", "if row.time_ms > done_ms]"),
)
mutant(
    "waiting_rows_are_forgotten",
    [SORTED, BEYOND, LATE, LOST],
    ("rows = waiting + [row._replace", "rows = [row._replace"),
)
