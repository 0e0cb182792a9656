"""`./lab experiment`: what was measured is kept, and what ended it is said."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import experiment
from streamlab.experiments.grid import Cell
from streamlab.services.process import ServiceError


def test_what_ends_it_before_anything_was_measured_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_broker(_: object) -> Iterator[Cell]:
        raise ServiceError("kafka did not start")

    monkeypatch.setattr(experiment, "_measured", no_broker)

    ran = CliRunner().invoke(experiment.experiment, ["integrations", "--to", str(tmp_path / "grid.json")])

    assert str(ran.exception) == "kafka did not start; nothing was measured, and nothing is written"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", ["pictures", "peer-to-peer", "near-or-now", "integrations"])
def test_a_folder_that_is_not_there_ends_it_before_anything_is_measured(verb: str, tmp_path: Path) -> None:
    ran = CliRunner().invoke(experiment.experiment, [verb, "--to", str(tmp_path / "none" / "runs.json")])

    assert str(ran.exception) == f"no folder {tmp_path / 'none'} to write runs.json into"


def test_a_cluster_elsewhere_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_MASTER", "spark://nowhere:7077")
    monkeypatch.setattr(experiment, "_lab_7", lambda _: object())

    ran = CliRunner().invoke(experiment.experiment, ["pictures", "--to", str(tmp_path / "runs.json")])

    assert str(ran.exception) == (
        "the pictures are measured on this machine: unset STREAMLAB_MASTER; nothing is written"
    )
    assert list(tmp_path.iterdir()) == []
