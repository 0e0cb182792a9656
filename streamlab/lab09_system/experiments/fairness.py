"""A hot key: who waits with max-min fair shares, and who with shares in proportion to what waits."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from streamlab.lab09_system.experiments.axes import nearest_rank
from streamlab.lab09_system.virtual import POLICIES, RULES, System
from streamlab.lab09_system.virtual.sources import HOT_PARTITION, in_proportion
from streamlab.lab09_system.virtual.system import EARLIER
from streamlab.views.plots import COLOURS, LINE_STYLES, Picture, figure, picture, table

FAULT_S, END_S, SHOWN_S, INSTANCES = 60, 340, 200, 6
WHO = ("hot partition", "its neighbour", "all others")
Waits = dict[str, list[tuple[int, float]]]  # who -> (second of the event, s until its alert)


def with_policies(parts: Any, **others: Any) -> SimpleNamespace:
    """Return the same policies, some of them replaced."""
    names = [name for name in (*POLICIES, *EARLIER) if hasattr(parts, name)]
    return SimpleNamespace(**{name: getattr(parts, name) for name in names} | others)


def hot_key(parts: Any) -> None:
    """Run the hot key three times: with `parts.admit`, in proportion, and with an instance for each partition."""
    runs = {
        "max-min (your admit)": waits_of(parts, INSTANCES),
        "in proportion": waits_of(with_policies(parts, admit=in_proportion), INSTANCES),
    }
    draw_waits(runs).show()
    runs["max-min, 12 instances"] = waits_of(parts, 12)
    rows = [row for run, waits in runs.items() for row in _rows(run, waits)]
    print(table(rows, ["shares", "whose alerts", "p50 (s)", "p99 (s)"]))


def _rows(run: str, waits: Waits) -> list[tuple[str, str, float, float]]:
    groups = waits | {"all together": [each for points in waits.values() for each in points]}
    waited = {who: [wait_s for _, wait_s in points] for who, points in groups.items() if points}
    return [(run, who, nearest_rank(each, 0.5), nearest_rank(each, 0.99)) for who, each in waited.items()]


def waits_of(parts: Any, instances: int) -> Waits:
    """Return how long the alerts of the hot partition, of its instance's other ones, and of all others wait."""
    system = System(parts, "fair", RULES._replace(least=instances, most=instances))
    for at_s in range(END_S):
        if at_s == FAULT_S:
            system.inject("hot-key")
        system.step()
    found: Waits = {who: [] for who in WHO}
    for (at_s, partition, _), came_ms in system.seen:
        is_near = partition % instances == HOT_PARTITION % instances
        who = WHO[0] if partition == HOT_PARTITION else WHO[1] if is_near else WHO[2]
        if FAULT_S <= at_s < SHOWN_S:
            found[who].append((at_s, came_ms / 1000 - at_s))
    return found


def draw_waits(runs: Mapping[str, Waits]) -> Picture:
    """Return two plots side by side: the largest wait by second of the event."""
    with figure(7.6, 3.2) as drawn:
        for axes, (run, waits) in zip(drawn.subplots(1, len(runs), sharey=True), runs.items(), strict=True):
            for at, (who, points) in enumerate(waits.items()):
                longest = {second: max(wait for each, wait in points if each == second) for second, _ in points}
                style = {"color": COLOURS[at], "linestyle": LINE_STYLES[at], "linewidth": 2}
                axes.plot(list(longest), list(longest.values()), label=who, **style)
            axes.axvspan(FAULT_S, FAULT_S + 20, color="#dddddd", zorder=0)
            axes.text(FAULT_S + 16, 3, "hot key", rotation=90, ha="center", va="bottom", fontsize=9)
            axes.set(title=run, xlabel="second of the payment")
        drawn.axes[0].set(ylabel="waits for its alert (s)", ylim=(0, None))
        drawn.legend(*drawn.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
        return picture(drawn, _in_words(runs))


def _in_words(runs: Mapping[str, Waits]) -> str:
    said = [
        f"{run}: " + ", ".join(f"{who} {max((wait for _, wait in waits[who]), default=0):.0f} s" for who in WHO)
        for run, waits in runs.items()
    ]
    return f"The longest waits for an alert during a hot key. {'; '.join(said)}."
