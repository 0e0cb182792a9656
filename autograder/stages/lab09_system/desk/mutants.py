"""Wrong versions of `Desk`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

AWAY = "a_payment_away_from_its_phone_alarms"
STALE = "a_stale_position_proves_nothing"
ORDER = "rows_of_one_time_come_in_their_order"
SPENT = "spending_is_summed_in_sliding_windows"
CLOSES = "a_window_closes_with_the_watermark"
MISSING = "a_missing_limit_leaves_the_window_undecided"
AGAIN = "a_payment_sent_again_counts_once"
RESUMES = "a_desk_resumes_from_its_state"
OWN_SUMS = "your_own_lab_4_sums_the_windows"
OWN_WATCH = "your_own_lab_8_watches_the_fences"
THROUGHPUT = "a_desk_does_not_look_at_everything_again"

reference("Desk")

mutant("an_unknown_shop_is_away", AWAY, ('row.shop in self.state["shops"] and ', ""))
mutant("a_stale_position_counts", STALE, ("<= FRESH_MS", "< math.inf"))
mutant("a_payment_before_its_position", ORDER, ("key=order_of", "key=lambda row: (row.time_ms, row.offset)"))
mutant(
    "a_window_closes_with_the_next_payment",
    [SPENT, CLOSES, MISSING, RESUMES, OWN_SUMS],
    ("        alerts += self._closed(watermark_ms + 1)\n", ""),
)
mutant(
    "each_repeat_starts_the_minute_again",
    AGAIN,
    (
        "        if row.time_ms - counted.get(one, -math.inf) <= REPEAT_MS:\n            return []\n        counted[one] = row.time_ms\n",
        "        before_ms, counted[one] = counted.get(one, -math.inf), row.time_ms\n"
        "        if row.time_ms - before_ms <= REPEAT_MS:\n            return []\n",
    ),
)
mutant("the_watch_begins_again", RESUMES, ("self._watch.state, self._spent", "None, self._spent"))
mutant("ids_stay_for_ever", RESUMES, (" if watermark_ms - at_ms < REPEAT_MS", ""))
mutant(
    "old_payments_are_deleted_at_each_payment",
    THROUGHPUT,
    (
        "        counted[one] = row.time_ms\n",
        "        kept = {each: at_ms for each, at_ms in counted.items() if at_ms >= row.time_ms - REPEAT_MS}\n"
        '        self.state["counted_ms"] = {**kept, one: row.time_ms}\n',
    ),
)
mutant("boxes_by_itself", OWN_WATCH, ("self._watch = Watch(", "self._watch = OwnBoxes("))


class OwnBoxes:
    """In place of Lab 8's Watch: knows bounding boxes, and says EXIT or INSIDE for each fence and position."""

    def __init__(self, state):
        self.state = state or ({}, {})

    def move(self, position):
        boxes, last = self.state
        if position.mover in last and last[position.mover].time_ms >= position.time_ms:
            return []
        last[position.mover] = position
        return [self._event(position, fence, box) for fence, box in boxes.items()]

    def change(self, change):
        boxes, last = self.state
        corners = [place for polygon in change.polygons or () for place in polygon[0]]
        boxes[change.fence] = [(min(each), max(each)) for each in zip(*corners, strict=True)] or [(1, 0), (1, 0)]
        return [self._event(position, change.fence, boxes[change.fence]) for position in last.values()]

    def _event(self, position, fence, box):
        (west, east), (south, north) = box
        is_inside = west <= position.lon <= east and south <= position.lat <= north
        from streamlab.lab08_geofencing.geo import Event

        return Event("INSIDE" if is_inside else "EXIT", position.mover, fence, position.time_ms)


survivor(
    "Desk",
    "one: at_ms for one, at_ms in counted if watermark_ms - at_ms < REPEAT_MS",
    "one: at_ms for one, at_ms in counted if watermark_ms - at_ms <= REPEAT_MS",
    reason="equivalent: the next payment is later than the watermark, so more than REPEAT_MS later than this one",
)
survivor(
    "Desk",
    'self.state["waiting"] = [row for row in rows if row.time_ms > watermark_ms]',
    'self.state["waiting"] = [row for row in rows if row.time_ms >= watermark_ms]',
    reason="equivalent: a row that is processed again at once changes nothing, and a payment is then sent again",
)
