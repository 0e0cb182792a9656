"""`./lab experiment` reports why it ended, and writes no file without measurements."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli.context import UserError
from autograder.cli.experiments import experiment, lab03_log, lab07_irm
from streamlab.experiments.grid import Cell
from streamlab.lab05_placement.experiments import near_or_now
from streamlab.services.process import ServiceError

MODULES = {sys.modules[command.callback.__module__] for command in experiment.commands.values()}
LAB_OF = {verb: command.callback.__module__.rpartition(".")[2] for verb, command in experiment.commands.items()}


@pytest.fixture(autouse=True)
def ensured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the labs whose packages would be installed."""
    labs = list[str]()
    for module in MODULES:
        monkeypatch.setattr(module, "ensure_packages_of", labs.extend)
    return labs


@pytest.mark.parametrize(("verb", "lab"), LAB_OF.items())
def test_the_packages_of_the_lab_are_installed_before_it_is_measured(
    ensured: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, lab: str
) -> None:
    def progress(_: str) -> None:
        raise UserError(" ".join(ensured))

    for module in MODULES:
        monkeypatch.setattr(module, "progress", progress)

    ran = CliRunner().invoke(experiment, [verb, "--to", str(tmp_path / "runs.json")])

    assert lab in str(ran.exception).split()


def test_an_error_before_the_first_measurement_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_broker(_: object) -> Iterator[Cell]:
        raise ServiceError("kafka did not start")

    monkeypatch.setattr(lab03_log, "_measured", no_broker)

    ran = CliRunner().invoke(experiment, ["integrations", "--to", str(tmp_path / "grid.json")])

    assert str(ran.exception) == "kafka did not start; nothing was measured, and nothing was written"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", LAB_OF)
def test_a_missing_folder_is_an_error_before_anything_is_measured(verb: str, tmp_path: Path) -> None:
    ran = CliRunner().invoke(experiment, [verb, "--to", str(tmp_path / "none" / "runs.json")])

    assert str(ran.exception) == f"no folder {tmp_path / 'none'} to write runs.json into"


@pytest.mark.parametrize("verb", LAB_OF)
def test_a_folder_is_an_error_before_anything_is_measured(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in MODULES:
        monkeypatch.setattr(module, "progress", lambda _: pytest.fail("a measurement has begun"))

    ran = CliRunner().invoke(experiment, [verb, "--to", str(tmp_path)])

    assert str(ran.exception) == f"expected a file to write, got the folder {tmp_path}; name a file in it"


def test_a_cluster_elsewhere_is_an_error_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_MASTER", "spark://nowhere:7077")
    monkeypatch.setattr(lab07_irm, "_lab_7", lambda _: object())

    ran = CliRunner().invoke(experiment, ["pictures", "--to", str(tmp_path / "runs.json")])

    assert str(ran.exception) == (
        "the pictures are measured on this machine: unset STREAMLAB_MASTER; nothing was written"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["grid.svg", "grid.SVG"])
def test_a_json_file_named_like_the_picture_is_rejected_before_anything_is_measured(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab03_log, "_measured", lambda _: pytest.fail("a measurement has begun"))
    file = str(tmp_path / name)

    ran = CliRunner().invoke(experiment, ["integrations", "--to", file])

    assert isinstance(ran.exception, UserError)
    assert str(ran.exception) == f"expected a JSON file, got {file}, the picture's name; choose --to grid.json"


def test_pinning_without_linux_is_an_error_that_names_the_other_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")

    ran = CliRunner().invoke(experiment, ["near-or-now", "--to", str(tmp_path / "runs.json")])

    assert isinstance(ran.exception, UserError)
    expected = "pinning to cores needs Linux; near-or-now also takes a running Spark cluster, --master URL"
    assert str(ran.exception) == expected


def test_a_running_cluster_is_measured_without_linux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(near_or_now, "near_or_now", lambda master, on_progress: measured.append(master) or [])
    file = tmp_path / "runs.json"

    ran = CliRunner().invoke(experiment, ["near-or-now", "--master", "spark://a:7077", "--to", str(file)])

    assert ran.exit_code == 0
    assert measured == ["spark://a:7077"]
    assert json.loads(file.read_text())["machine"]["pinned"] is None
