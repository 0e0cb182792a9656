"""What the kit gives, handed in as `place`: METIS, the baselines, and the baseline of the throughput check."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from autograder.checks import load_stage
from autograder.inside import DRIVES, load_drives
from streamlab.lab05_placement.numa import Topology, least_loaded, round_robin
from streamlab.lab05_placement.numa.metis import metis
from tests.autograder.stages.driven_reference import ROOT, reference

LAB, SEEDS = "lab05_placement", ["public", "another"]
BASELINE = ROOT / "autograder" / "stages" / LAB / "baselines" / "whole_cost_at_each_try.py"
PLACE = {each.name: each for each in load_stage(LAB).checks if each.task == "place"}


class Submission:
    """The reference, with another `place`."""

    def __init__(self, place: Any) -> None:
        self.place = place

    def __getattr__(self, name: str) -> Any:
        return getattr(reference(LAB), name)


def that_fits(placer: Any) -> Callable[..., dict[str, int]]:
    """Return `placer` as `place`, with the ValueError that the task promises."""

    def place(instances: Sequence[str], traffic: Any, topology: Topology, starts: int = 8) -> dict[str, int]:
        if len(instances) > sum(map(len, topology.cores.values())):
            raise ValueError("too few cores")
        placed: dict[str, int] = placer(instances, traffic, topology)
        return placed

    return place


def baseline() -> Any:
    names: dict[str, Any] = {}
    exec(BASELINE.read_text(encoding="utf-8"), names)
    return names["place"]


def earned(place: Any, seed: str) -> list[str]:
    """Return the checks that `place` passes."""
    load_drives(LAB)
    return [name for name, check in PLACE.items() if all(passes(place, check, case) for case in check.cases(seed))]


def passes(place: Any, check: Any, case: Any) -> bool:
    with TemporaryDirectory() as scratch:
        try:
            rows = DRIVES["place"](stage=Submission(place), case=case, scratch=Path(scratch), earlier=reference)
        except Exception:  # a verdict `error`
            return False
    return check.judge(case, json.loads(json.dumps(rows))) is None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "placer",
    [
        pytest.param(that_fits(metis), id="METIS"),
        pytest.param(that_fits(lambda instances, _, topology: round_robin(instances, topology)), id="round robin"),
        pytest.param(that_fits(lambda instances, _, topology: least_loaded(instances, topology)), id="least loaded"),
        pytest.param(baseline(), id="the throughput check's baseline"),
    ],
)
def test_what_the_kit_gives_is_no_place(placer: Any, seed: str) -> None:
    assert earned(placer, seed) == []


def test_the_reference_passes_every_check() -> None:
    assert earned(reference(LAB).place, "public") == list(PLACE)
