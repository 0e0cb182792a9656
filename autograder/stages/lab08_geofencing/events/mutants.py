"""Wrong versions of `Watch` and `in_order`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

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
mutant(
    "an_older_position_is_in_the_state",
    RESUMES,
    (
        "        if not self._movers.put(position):\n            return []\n",
        '        self.state["last"][position.mover] = position\n'
        "        if not self._movers.put(position):\n            return []\n",
    ),
)
mutant(
    "who_is_inside_is_not_in_the_state",
    RESUMES,
    (
        'self.state = {"fences": {}, "last": {}, "inside": {}} if state is None else state\n',
        'self.state = {"fences": {}, "last": {}} if state is None else state\n'
        '        self._inside = {mover: set() for mover in self.state["last"]}\n',
    ),
    ('mover, inside = position.mover, self.state["inside"]', "mover, inside = position.mover, self._inside"),
    (
        'fence, polygons, inside = change.fence, change.polygons, self.state["inside"]',
        "fence, polygons, inside = change.fence, change.polygons, self._inside",
    ),
)


@mutant("state_of_its_own_class", RESUMES)
class Watch:
    class State:
        def __init__(self):
            self.fences, self.last, self.inside = {}, {}, {}

    def __init__(self, state=None):
        self.state = state or Watch.State()
        self.index = FenceIndex()
        for fence, polygons in self.state.fences.items():
            self.index.put(fence, polygons)

    def move(self, position):
        mover, last = position.mover, self.state.last.get(position.mover)
        if last and last.time_ms >= position.time_ms:
            return []
        before, now = self.state.inside.get(mover, []), self.index.at(position.lon, position.lat)
        self.state.last[mover], self.state.inside[mover] = position, now
        left = [Event("EXIT", mover, each, position.time_ms) for each in before if each not in now]
        kinds = {True: "INSIDE", False: "ENTER"}
        return left + [Event(kinds[each in before], mover, each, position.time_ms) for each in now]

    def change(self, change):
        self.index.remove(change.fence)
        self.state.fences.pop(change.fence, None)
        if change.polygons is not None:
            self.index.put(change.fence, change.polygons)
            self.state.fences[change.fence] = change.polygons
        events = []
        for mover, last in self.state.last.items():
            before, now = self.state.inside[mover], self.index.at(last.lon, last.lat)
            self.state.inside[mover] = now
            if (change.fence in before) != (change.fence in now):
                events.append(Event("ENTER" if change.fence in now else "EXIT", mover, change.fence, change.time_ms))
        return events


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
