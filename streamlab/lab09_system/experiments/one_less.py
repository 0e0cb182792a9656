"""One policy less: the same faults, each time without one of the policies; which bound is missed?"""

from typing import Any, NamedTuple

from streamlab.lab09_system.experiments.fairness import with_policies
from streamlab.lab09_system.virtual import RULES, Day, the_day
from streamlab.views.plots import BAR_COLOUR, LEVEL_COLOUR, Picture, figure, picture, table

PLAN, END_S = {60: "burst", 260: "store-stopped", 340: "python-worker"}, 480
NEVER = 10**9  # failures in a row, or seconds


class Measure(NamedTuple):
    """A column: its title, its short name, its bound, and how far its bars go."""

    title: str
    name: str
    bound: float
    shown_to: float


MEASURES = (
    Measure("alerts lost", "lost", 0, 1200),
    Measure("p99 (s)", "p99 (s)", 50, 210),
    Measure("worker-seconds\n(× full workers)", "worker-s (ratio)", 2.0, 3),
    Measure("lag back after\nthe burst (s)", "burst (s)", 120, 200),
    Measure("after the\nstopped store (s)", "store (s)", 30, 50),
    Measure("after the\ndead worker (s)", "worker (s)", 30, 50),
)
Row = tuple[float, ...]  # infinite: never


def policy_less(parts: Any) -> None:
    """Run seven days with `parts`, six of them without one policy; show what is missed."""
    print("Seven days of eight virtual minutes: about ten seconds.")
    rows = {name: measured(day) for name, day in days(parts).items()}
    draw_rows(rows).show()
    shown = [(name, *map(_shown, row)) for name, row in rows.items()]
    print(table(shown, ["", *(each.name for each in MEASURES)]))


def days(parts: Any) -> dict[str, Day]:
    """Return each day: the policy is left out by arguments that make it do nothing."""

    def without(rules: Any = RULES, **others: Any) -> Day:
        return the_day(with_policies(parts, **others), "day", PLAN, END_S, rules)

    def guarded(trips: int, rest_s: float) -> Any:
        return lambda store, _trips, _rest_s, clock: parts.GuardedStore(store, trips, rest_s, clock)

    return {
        "all policies": without(),
        "no quiet time": without(RULES._replace(quiet_ticks=1)),
        "the lag does not count": without(Autoscaler=_told(parts.Autoscaler, lag=False)),
        "lost instances kept": without(Autoscaler=_told(parts.Autoscaler, gone=False)),
        "no breaker": without(GuardedStore=guarded(NEVER, 5.0)),
        "breaker never closes": without(GuardedStore=guarded(3, NEVER)),
        "no repair": without(repair=lambda *_: []),
    }


def _told(autoscaler: Any, *, lag: bool = True, gone: bool = True) -> Any:
    """Return an autoscaler that is not told the lag, or which instances are gone."""

    class Told:
        def __init__(self, rules: Any) -> None:
            self._own = autoscaler(rules)

        def tick(self, offered_per_s: int, per_instance_per_s: int, waiting: int, lost: Any) -> Any:
            return self._own.tick(offered_per_s, per_instance_per_s, waiting * lag, lost if gone else ())

    return Told


def measured(day: Day) -> Row:
    """Return the values of MEASURES."""
    back = [float("inf") if back_s is None else back_s for back_s in day.back_s.values()]
    return (day.report.lost, day.report.p99_ms / 1000, day.ratio, *back)


def _shown(value: float) -> str:
    return "never" if value == float("inf") else f"{value:g}"


def draw_rows(rows: dict[str, Row]) -> Picture:
    """Return bars for each measure, with its bound as a line; values above it are hatched and bold."""
    names = list(rows)
    with figure(9.0, 3.4) as drawn:
        for at, (axes, measure) in enumerate(zip(drawn.subplots(1, len(MEASURES), sharey=True), MEASURES, strict=True)):
            for place, name in enumerate(names):
                _bar(axes, place, rows[name][at], measure)
            axes.axvline(measure.bound, color=LEVEL_COLOUR, linestyle="--", linewidth=1.2)
            axes.set(xlim=(0, measure.shown_to * 1.5), xticks=[measure.bound])
            axes.set_title(measure.title, fontsize=9)
            axes.grid(False)
            axes.tick_params(axis="y", length=0)
        drawn.axes[0].set_yticks(range(len(names)), labels=names)
        drawn.axes[0].set_ylim(len(names) - 0.5, -0.5)
        return picture(drawn, _in_words(rows))


def _bar(axes: Any, place: int, value: float, measure: Measure) -> None:
    is_missed = value > measure.bound
    style = {"hatch": "///", "color": "#f3b98b"} if is_missed else {"color": BAR_COLOUR}
    length = min(value, measure.shown_to)
    axes.barh(place, length, edgecolor="black", linewidth=0.6, height=0.7, **style)
    weight = "bold" if is_missed else "normal"
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
    offset = {"xy": (length, place), "xytext": (4, 0), "textcoords": "offset points"}
    axes.annotate(_shown(value), **offset, va="center", fontsize=9, fontweight=weight, bbox=behind)


def _in_words(rows: dict[str, Row]) -> str:
    missed = {
        name: ", ".join(
            f"{each.name} {_shown(value)}" for each, value in zip(MEASURES, row, strict=True) if value > each.bound
        )
        for name, row in rows.items()
    }
    said = "; ".join(f"{name}: {which or 'none'}" for name, which in missed.items())
    return f"Bars of six measures for seven days. Missed bounds: {said}."
