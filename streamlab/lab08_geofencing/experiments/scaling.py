"""Experiment of Lab 8 on scalability: push and pull on one to three capped nodes.

The unit is the measured rate of one capped node, since a tenth of a core does less than a tenth of a core's work.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from streamlab.lab08_geofencing.experiments import capped_nodes
from streamlab.lab08_geofencing.experiments.fences import places, positions, stars
from streamlab.lab08_geofencing.experiments.pull import triangle
from streamlab.lab08_geofencing.geo import Change
from streamlab.progress import OnProgress, silent

NODES, PARTITIONS, FENCES, MOVERS = (1, 2, 3), 12, 1_000, 5_000
SHARE, SECONDS = 0.1, 3.0
STRONG, WEAK = 2.55, 1.2  # offered load in units of one node's rate: in total, and for each node
MOST_PER_S = 30_000.0  # more than a node with a tenth of a core can do
SETUP = {"share": SHARE, "seconds": SECONDS, "fences": FENCES, "movers": MOVERS, "partitions": PARTITIONS}
RECORDED = Path(__file__).resolve().parents[3] / "datasets" / "lab08_geofencing" / "scaling" / "two_cores.json"
Runs = dict[int, list[capped_nodes.Sample]]


@dataclass(frozen=True)
class Series:
    """Samples of runs, by the number of nodes: `what` is "push, strong", "push, weak" or "pull, strong".

    The series of `offered_load` have the offered load per second in place of the number of nodes.
    """

    what: str
    runs: Runs


class Questions:
    """A node of pull: each "position" is a place, and the node looks up the movers in a triangle around it."""

    def __init__(self, index: Any) -> None:
        self._index = index

    def move(self, place: tuple[float, float]) -> None:
        """Answer one question."""
        self._index.within(triangle(place))


def measure(lab: Any, log: Any, on_progress: OnProgress = silent) -> Iterator[Series]:
    """Measure strong and weak scaling of push, and strong scaling of pull; this takes about half a minute.

    lab: has the tasks Watch and MoverIndex of Lab 8; log: partition_for and assign of Lab 3.
    """
    moves = positions("scaling", int(MOST_PER_S * SECONDS) * len(NODES), MOVERS)
    asked = places("scaling", int(MOST_PER_S * SECONDS))

    def of_mover(position: Any) -> int:
        return int(log.partition_for(position.mover.encode(), PARTITIONS))

    def of_question(place: Any) -> int:
        return int(place[0] * 1e6) % PARTITIONS

    def push(nodes: int, rate_per_s: float) -> list[capped_nodes.Sample]:
        on_progress(f"push, {nodes} nodes, {rate_per_s:,.0f}/s")
        return _run(lambda: _watching(lab.Watch), moves, of_mover, log.assign, nodes, rate_per_s)

    def pull(nodes: int, rate_per_s: float) -> list[capped_nodes.Sample]:
        on_progress(f"pull, {nodes} nodes, {rate_per_s:,.0f}/s")
        return _run(lambda: Questions(_known(lab.MoverIndex)), asked, of_question, log.assign, nodes, rate_per_s)

    push_unit, pull_unit = achieved_per_s(push(1, MOST_PER_S)), achieved_per_s(pull(1, MOST_PER_S))
    yield Series("push, strong", {nodes: push(nodes, STRONG * push_unit) for nodes in NODES})
    yield Series("push, weak", {nodes: push(nodes, WEAK * nodes * push_unit) for nodes in NODES})
    yield Series("pull, strong", {nodes: pull(nodes, STRONG * pull_unit) for nodes in NODES})


def achieved_per_s(samples: Sequence[capped_nodes.Sample]) -> float:
    """Return the rate from the first to the last sample."""
    (from_s, _, before), (to_s, _, done) = samples[0], samples[-1]
    return (done - before) / (to_s - from_s)


def as_json(series: Sequence[Series], machine: Mapping[str, Any], setup: Mapping[str, Any] = SETUP) -> dict[str, Any]:
    """Return a measurement as the object that is saved as JSON."""
    return {"machine": dict(machine), "setup": dict(setup), "series": [asdict(each) for each in series]}


def series_of(kept: Mapping[str, Any]) -> list[Series]:
    """Return the series in a saved measurement; JSON has turned the keys of the runs into strings."""
    found = []
    for each in kept["series"]:
        runs = {int(key): [(at_s, offered, done) for at_s, offered, done in run] for key, run in each["runs"].items()}
        found.append(Series(each["what"], runs))
    return found


def recorded_scaling(path: Path = RECORDED) -> list[Series]:
    """Return the series that `./lab experiment` has written to `path`, by default those of `geofencing` in the kit.

    Raises OSError, and ValueError for a file without such series.
    """
    try:
        return series_of(json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{path} holds no series of `./lab experiment`: {problem}") from None


def _run(
    make: Callable[[], Any], rows: Sequence[Any], of: Any, assign: Any, nodes: int, rate_per_s: float
) -> list[capped_nodes.Sample]:
    owned = assign(PARTITIONS, [f"node-{number}" for number in range(nodes)], {})
    return capped_nodes.run(make, rows, of, list(owned.values()), rate_per_s, SHARE, SECONDS)


def _watching(watch: Callable[[], Any]) -> Any:
    node = watch()
    for number, (name, polygons) in enumerate(stars("push", FENCES).items()):
        node.change(Change(name, 0, polygons, number))
    return node


def _known(mover_index: Callable[[], Any]) -> Any:
    index = mover_index()
    for each in positions("pull", MOVERS, MOVERS):
        index.put(each)
    return index
