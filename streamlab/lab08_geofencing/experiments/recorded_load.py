"""Draws push under an offered load, as `./lab experiment push-load` has recorded it, with FenceX's published figures.

Both were measured in an open loop: the load goes on, whether or not the system keeps up.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from streamlab.experiments.series import Lines
from streamlab.lab08_geofencing.experiments.capped_nodes import Sample
from streamlab.lab08_geofencing.experiments.offered_load import KILLED, RISING
from streamlab.lab08_geofencing.experiments.scaling import RECORDED as SCALING
from streamlab.lab08_geofencing.experiments.scaling import Runs, achieved_per_s, recorded_scaling
from streamlab.lab08_geofencing.published import figure, runs_of
from streamlab.views.plots import Picture, draw_lines

RECORDED = SCALING.parents[1] / "push_load" / "two_cores.json"
OURS, FENCEX = "push on Spark", "FenceX"
COMPUTED = f"{FENCEX} (end computed)"
LOST = "push, one of six lost"
PUBLISHED = "offered (1/s)", "lowest (1/s)", "lowest, for (s)", "highest (1/s)"


def pictures(path: Path = RECORDED) -> list[Picture]:
    """Return two plots: the rate around a kill, and the achieved over the offered rate.

    Raises OSError, and ValueError for a file that `./lab experiment push-load` has not written.
    """
    series = {each.what: each.runs for each in recorded_scaling(path)}
    try:
        killed, rising = series[KILLED], series[RISING]
    except KeyError as problem:
        raise ValueError(f"{path} holds no series {problem}: repeat `./lab experiment push-load`") from None
    return [_around_the_kill(killed), _achieved(rising)]


def _around_the_kill(killed: Runs) -> Picture:
    ((offered_per_s, samples),) = killed.items()
    lines = around_the_kill(samples, offered_per_s)
    title = f"Push, open loop: killed at 0 s ({FENCEX} lost one of six instances)"
    words = "; ".join(f"{name}: {_in_words(points)}" for name, points in lines.items())
    labels = "time since the kill (s)", "updates done (% of those offered)"
    return draw_lines(lines, *labels, title, words, levels={"offered": 100})


def _achieved(rising: Runs) -> Picture:
    lines = achieved_over_offered(rising)
    title = f"Push, open loop: one job on two cores ({FENCEX}: 1 to 10 instances)"
    words = [
        f"{name}: " + ", ".join(f"{done:,.0f} of {offered:,.0f}/s" for offered, done in points)
        for name, points in lines.items()
    ]
    return draw_lines(lines, "updates offered per s", "updates done per s", title, "; ".join(words))


def around_the_kill(samples: Sequence[Sample], offered_per_s: float) -> Lines:
    """Return the rates in % of the offered load: ours of each batch, and FenceX's until its lag is gone.

    A batch's rate is its updates divided by the time since the batch before. FenceX published the rates and the length
    of its dip; the lag that the dip leaves takes the rest of the line to catch up.
    """
    ours = [
        (at_s, 100 * (done - before) / (to_s - from_s) / offered_per_s)
        for (from_s, _, before), (to_s, _, done) in pairwise(samples)
        for at_s in (from_s, to_s)
    ]
    offered, dip, dip_s, fast = (figure(f"{LOST}, {each}") for each in PUBLISHED)
    end_s = dip_s + dip_s * (offered - dip) / (fast - offered)
    steps = [(ours[0][0], 0, offered), (0, dip_s, dip), (dip_s, end_s, fast)]
    return {OURS: ours, COMPUTED: [(at_s, 100 * rate / offered) for *ends, rate in steps for at_s in ends]}


def achieved_over_offered(runs: Runs) -> Lines:
    """Return (offered, achieved) per second of each run from its first to its last batch, and of FenceX's runs."""
    ours = [(_offered_per_s(samples), achieved_per_s(samples)) for _, samples in sorted(runs.items())]
    published = sorted((offered, done) for _, (_, (_, offered, done)) in runs_of("push, weak").items())
    return {OURS: ours, FENCEX: published}


def _offered_per_s(samples: Sequence[Sample]) -> float:
    return achieved_per_s([(at_s, offered, offered) for at_s, offered, _ in samples])


def _in_words(points: Sequence[tuple[float, float]]) -> str:
    after = [rate for at_s, rate in points if at_s > 0]
    return f"{points[0][1]:.0f} % before the kill, then {min(after):.0f} % at least and {max(after):.0f} % at most"
