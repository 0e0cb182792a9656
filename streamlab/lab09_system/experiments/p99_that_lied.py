"""The p99 that lied: three p99 of one run in which nobody leads for 15 s; only one of them shows it."""

from collections.abc import Callable, Sequence

from streamlab.lab09_system import Objective, Report
from streamlab.views.plots import line_plot, table

Points = list[tuple[float, float]]
EVENTS_MS = range(0, 120_000, 100)  # each causes an alert
DIES_MS, TAKES_MS, LAST_S = 60_000, 300, 30


def the_p99_that_lied(service_levels: Callable[..., Report]) -> None:
    """Show three p99 of the last 30 s: of the alerts that came, and of all, from their sending or their events on."""
    taken_ms = [at if at < DIES_MS else max(at, 55_000 + at // 3) for at in EVENTS_MS]  # the backlog from 75 s on
    sent_ms = [max(at, taken - 200) for at, taken in zip(EVENTS_MS, taken_ms, strict=True)]

    def p99_s(now_s: int, begins_ms: Sequence[int], with_missing: bool) -> float:
        now_ms = 1000 * now_s
        begun = {at: ms for at, ms in enumerate(begins_ms) if 0 <= now_ms - ms < 1000 * LAST_S}
        came = [(at, taken_ms[at] + TAKES_MS) for at in begun if taken_ms[at] + TAKES_MS <= now_ms]
        expected = begun if with_missing else {at: begun[at] for at, _ in came}
        return service_levels(expected, came, now_ms, Objective(99.0, 1000)).p99_ms / 1000

    ways: dict[str, tuple[Sequence[int], bool]] = {
        "event, alerts that came": (EVENTS_MS, False),
        "sending, all alerts": (sent_ms, True),
        "event, all alerts": (EVENTS_MS, True),
    }
    lines: dict[str, Points] = {way: [(s, p99_s(s, *how)) for s in range(50, 111)] for way, how in ways.items()}
    rows = [(way, *(dict(points)[s] for s in (59, 74, 80))) for way, points in lines.items()]
    print(table(rows, ["p99 (s), measured from", "at 59 s", "at 74 s", "at 80 s"]))
    alt = "; ".join(f"{way}: up to {max(each for _, each in points)} s" for way, points in lines.items())
    line_plot(lines, "time (s)", "p99 (s)", "Nobody leads from 60 s to 75 s", alt)
