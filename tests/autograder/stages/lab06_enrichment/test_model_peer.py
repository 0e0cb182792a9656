"""`classify_logs` and its oracle against plain ONNX Runtime, which classifies the committed file line by line."""

import json
import math
from typing import Any

import pytest

from autograder.inside import load_drives
from autograder.stages.lab06_enrichment.logs import oracle
from streamlab.lab06_enrichment.log_lines import SERVICES, LogLine, log_lines
from streamlab.lab06_enrichment.log_models import FOLDER
from tests.autograder.stages.driven_reference import reference_rows
from tests.streamlab.services.conftest import server_programs

for module in "numpy", "onnxruntime", "pandas", "redis":
    server_programs(module)

LAB, TASK = "lab06_enrichment", "classify_logs"
LINES = log_lines("offline", 240, (0.4, 0.3, 0.3))
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def offline() -> list[tuple[str, float]]:
    """Return the label of each line and its probability."""
    import onnxruntime

    models = {service: onnxruntime.InferenceSession(str(FOLDER / f"{service}.onnx")) for service in SERVICES}
    return [one_line(models[line.service], line) for line in LINES]


def one_line(model: Any, line: LogLine) -> tuple[str, float]:
    import numpy as np

    label, probabilities = model.run(None, {"text": np.array([[line.content]], dtype=object)})
    return str(label[0]), float(probabilities[0].max())


def batches() -> list[list[list[Any]]]:
    rows: list[list[Any]] = [[at, line.service, line.content] for at, line in enumerate(LINES)]
    return [rows[:1], rows[1:100], [], rows[100:]]


def test_the_oracle_agrees_with_the_models_offline(offline: list[tuple[str, float]]) -> None:
    labels = [each for batch in oracle.labelled(batches()) for each in batch]

    assert [label for label, _ in labels] == [label for label, _ in offline]
    assert all(
        math.isclose(one, other, abs_tol=TOLERANCE) for (_, one), (_, other) in zip(labels, offline, strict=True)
    )


def test_the_reference_agrees_in_batches_with_the_models_offline(offline: list[tuple[str, float]]) -> None:
    load_drives(LAB)

    rows = reference_rows(LAB, TASK, json.dumps({"batches": batches(), "places": 2}))

    labels = [row[3:] for frame in rows["frames"] for row in frame["rows"]]
    assert [label for label, _ in labels] == [label for label, _ in offline]
    assert all(
        math.isclose(one, other, abs_tol=TOLERANCE) for (_, one), (_, other) in zip(labels, offline, strict=True)
    )


def test_the_lines_cover_all_labels_of_all_services(offline: list[tuple[str, float]]) -> None:
    found = {(line.service, label) for line, (label, _) in zip(LINES, offline, strict=True)}

    assert len(found) == 3 * len(SERVICES)
