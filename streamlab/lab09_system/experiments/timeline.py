"""Ten faults on one timeline: lag, instances and latency of the virtual day, with the incidents that are found."""

from typing import Any

from streamlab.lab09_system.experiments.axes import nearest_rank, set_symlog
from streamlab.lab09_system.virtual import Day, the_day
from streamlab.views.plots import COLOURS, Picture, figure, picture, printable, table

BIN_S, LEAST_WIDTH_S = 10, 6
BAND_COLOURS = ("#d9d9d9", "#c3d9ec")


def ten_faults(parts: Any) -> None:
    """Run the day, show it, and print its incidents. `parts` has the policies as attributes (see `virtual.System`)."""
    day = the_day(parts)
    draw_day(day).show()
    rows = [
        (at, each.kind, f"{each.from_s}-{each.to_s}", peak_lag(day, each.from_s, each.back_s), _took(each))
        for at, each in enumerate(day.incidents, 1)
    ]
    print(table(rows, ["", "incident", "seconds", "largest lag (records)", "lag back after (s)"]))
    report, times = day.report, f"{day.ratio} times those of full workers"
    print(f"\nlost {report.lost}, p99 {report.p99_ms / 1000:g} s, worker-seconds {times}")


def peak_lag(day: Day, from_s: int, back_s: int | None) -> int:
    """Return the largest lag of an incident, until the lag is back."""
    return max(
        (sum(each.lag) for each in day.system.samples[from_s : (back_s or len(day.system.samples)) + 1]), default=0
    )


def _took(incident: Any) -> int | str:
    return "never" if incident.back_s is None else incident.back_s - incident.to_s


def p99_s(day: Day) -> list[tuple[int, float]]:
    """Return the p99 latency in s of the alerts that came in each 10 s."""
    came: dict[int, list[float]] = {}
    for alert, at_ms in day.system.seen:
        latency_s = (at_ms - day.system.expected[alert]) / 1000
        came.setdefault(at_ms // (1000 * BIN_S) * BIN_S, []).append(latency_s)
    return [(at_s, nearest_rank(values, 0.99)) for at_s, values in sorted(came.items())]


def draw_day(day: Day) -> Picture:
    """Return the picture of a day."""
    samples = day.system.samples
    with figure(7.6, 5.6) as drawn:
        lag, instances, latency = drawn.subplots(3, 1, sharex=True, height_ratios=[1.5, 1, 1])
        lag.plot([each.at_s for each in samples], [sum(each.lag) for each in samples], color=COLOURS[0])
        set_symlog(lag, 100, [0, 100, 1_000, 10_000, 100_000])
        lag.set(ylabel="lag (records)")
        instances.step(*zip(*day.instances, strict=True), where="post", color=COLOURS[1])
        instances.set(ylabel="instances", ylim=(0, 13), yticks=[0, 4, 8, 12])
        latency.step(*zip(*p99_s(day), strict=True), where="post", color=COLOURS[3])
        set_symlog(latency, 1, [0, 1, 10, 100])
        latency.set(ylabel="p99 (s)", xlabel="virtual time (s)", xlim=(0, len(samples)))
        _bands(day, lag, (instances, latency))
        found = ", ".join(f"{each.kind} at {each.from_s} s" for each in day.incidents)
        return picture(drawn, f"Lag, instances and p99 latency over {len(samples)} s, with bands: {found}.")


def _bands(day: Day, top: Any, others: Any) -> None:
    """Draw each incident as a band through all axes, with its number and kind on top."""
    for at, each in enumerate(day.incidents):
        to_s = max(each.to_s, each.from_s + LEAST_WIDTH_S)
        for axes in (top, *others):
            axes.axvspan(each.from_s, to_s, color=BAND_COLOURS[at % 2], zorder=0)
        label = f"{at + 1} {printable(each.kind)}"
        place = {"xy": (each.from_s, 1.02), "xycoords": ("data", "axes fraction")}
        top.annotate(label, **place, rotation=40, ha="left", va="bottom", fontsize=9)
