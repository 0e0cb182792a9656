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
