"""Returns FenceX's published figures as numbers and as samples that `scaling` takes."""

from streamlab.experiments.published import Number, published

SCALING = ("push, strong", "push, weak", "pull, strong")
Runs = dict[int, list[tuple[float, Number, Number]]]


def figure(series: str) -> Number:
    """Return the value of a series with one value. Example: figure("availability, for (s)") -> 100"""
    ((value,),) = published("lab08_geofencing", "fencex", series).values()
    return value


def runs_of(what: str) -> Runs:
    """Return FenceX's runs of one name of SCALING as samples (time_s, offered, done) at 0 s and after 1 s.

    Example: runs_of("pull, strong") -> {1: [(0.0, 0, 0), (1.0, 4800, 2200)], 2: [(0.0, 0, 0), (1.0, 5700, 5700)]}
    """
    rates = published("lab08_geofencing", "fencex", f"{what}, offered (1/s)", f"{what}, achieved (1/s)")
    return {int(nodes): [(0.0, 0, 0), (1.0, offered, achieved)] for nodes, (offered, achieved) in rates.items()}
