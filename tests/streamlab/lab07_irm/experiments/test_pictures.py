"""Pictures on HarmonicIO, with a minimal master and manager, and on Spark: the recorded figures of a run."""

import json
from pathlib import Path

import pytest

from streamlab.lab07_irm import cell_pictures as drawn
from streamlab.lab07_irm.datatypes import Plan, Rules, Seen, Start
from streamlab.lab07_irm.experiments import pictures
from streamlab.lab07_irm.experiments.pictures import PictureRun, as_json, mean_per_second, on_harmonic, runs_in
from tests.streamlab.lab07_irm.conftest import need_scikit_image
from tests.streamlab.lab07_irm.masters import Pushes


class Two:
    def __init__(self, rules: Rules) -> None:
        self.starts = [Start(f"e{worker}", "cells", worker, 500) for worker in range(2)]

    def tick(self, seen: Seen) -> Plan:
        starts, self.starts = self.starts, []
        return Plan(starts, 2, 2, [500, 500], {})


@pytest.mark.parametrize(
    ("spans", "cores"),
    [
        ([], []),
        ([(0.5, 2.0, 4)], [2.0, 4.0]),
        ([(0.25, 0.5, 1), (0.25, 1.25, 2)], [1.75, 0.5]),
        ([(2.0, 3.0, 1)], [0.0, 0.0, 1.0]),
    ],
)
def test_cores_are_averaged_over_each_second(spans: list[tuple[float, float, int]], cores: list[float]) -> None:
    assert mean_per_second(spans) == cores


def test_an_observed_value_holds_until_the_next_observation() -> None:
    assert pictures.cores_per_second([(0.0, 0), (0.5, 2), (1.5, 4), (2.0, 0)]) == [1.0, 3.0]


def test_runs_survive_a_round_trip_through_json(tmp_path: Path) -> None:
    runs = [PictureRun("HarmonicIO", 1.5, 0.0, 4.5, 20, [1.0, 4.0], [0.5, 3.5])]
    kept = tmp_path / "runs.json"
    kept.write_text(json.dumps(as_json(runs, 20, {"cores": 2})), encoding="utf-8")

    assert runs_in(kept) == runs
    assert runs[0].used_share == 0.8


def test_an_external_cluster_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_MASTER", "spark://nowhere:7077")

    with pytest.raises(ValueError, match="unset STREAMLAB_MASTER"):
        next(pictures.measure(object()))


def test_harmonic_measures_all_pictures_with_its_allocated_cores() -> None:
    need_scikit_image()
    sent = [drawn.cell_picture(seed, size=256, cells=20) for seed in range(4)]
    run = on_harmonic(Pushes(), Two, sent)

    assert run.right == 0  # a picture that counts has 150 cells
    assert max(run.allocated) == 2
    assert 0 < run.used_share <= 1
    assert 0 < run.makespan_s < len(run.allocated)
    assert run.start_s > 0


class Tasks:
    """Executors of a Spark whose stages have 3 tasks, 1 of which has not started."""

    def tasks(self) -> int:
        return 3

    def waiting(self) -> int:
        return 1


@pytest.mark.parametrize(("sent", "done", "waiting"), [(10, 2, 1 + 5), (5, 2, 1), (4, 2, 1)])
def test_the_scaler_also_counts_pictures_that_are_not_in_a_batch_yet(sent: int, done: int, waiting: int) -> None:
    assert pictures.waiting_pictures(Tasks(), sent, done) == waiting
