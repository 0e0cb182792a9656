"""`./lab experiment` reports why it ended, and writes no file without measurements."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import experiment
from streamlab.experiments.grid import Cell
from streamlab.services.process import ServiceError


def test_an_error_before_the_first_measurement_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_broker(_: object) -> Iterator[Cell]:
        raise ServiceError("kafka did not start")

    monkeypatch.setattr(experiment, "_measured", no_broker)

    ran = CliRunner().invoke(experiment.experiment, ["integrations", "--to", str(tmp_path / "grid.json")])

    assert str(ran.exception) == "kafka did not start; nothing was measured, and nothing was written"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", ["pictures", "peer-to-peer", "near-or-now", "integrations", "geofencing"])
def test_a_missing_folder_is_an_error_before_anything_is_measured(verb: str, tmp_path: Path) -> None:
    ran = CliRunner().invoke(experiment.experiment, [verb, "--to", str(tmp_path / "none" / "runs.json")])

    assert str(ran.exception) == f"no folder {tmp_path / 'none'} to write runs.json into"


@pytest.mark.parametrize("verb", ["pictures", "peer-to-peer", "near-or-now", "integrations", "geofencing"])
def test_a_folder_is_an_error_before_anything_is_measured(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment, "progress", lambda _: pytest.fail("a measurement has begun"))

    ran = CliRunner().invoke(experiment.experiment, [verb, "--to", str(tmp_path)])

    assert str(ran.exception) == f"expected a file to write, got the folder {tmp_path}; name a file in it"


def test_a_cluster_elsewhere_is_an_error_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_MASTER", "spark://nowhere:7077")
    monkeypatch.setattr(experiment, "_lab_7", lambda _: object())

    ran = CliRunner().invoke(experiment.experiment, ["pictures", "--to", str(tmp_path / "runs.json")])

    assert str(ran.exception) == (
        "the pictures are measured on this machine: unset STREAMLAB_MASTER; nothing was written"
    )
    assert list(tmp_path.iterdir()) == []
