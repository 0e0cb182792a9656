"""The committed models match their page, and label lines that they were not trained on."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

from streamlab.lab06_enrichment.log_lines import SERVICES, log_lines
from streamlab.lab06_enrichment.log_models import LABELS_OF_MODELS, model_of, open_session
from tests.streamlab.services.conftest import server_programs

DATASETS = Path(__file__).resolve().parents[3] / "datasets"
PAGE = (DATASETS / "lab06_enrichment" / "log_models" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("service", SERVICES)
def test_the_size_and_checksum_of_a_model_match_the_page(service: str) -> None:
    row = re.search(rf"^\| {service}\.onnx \| (\d+) \| `(\w+)` \|$", PAGE, re.MULTILINE)

    assert row
    assert (len(model_of(service)), sha256(model_of(service)).hexdigest()) == (int(row[1]), row[2])


def test_a_service_without_a_model_is_a_lookup_error() -> None:
    with pytest.raises(LookupError, match="no model for the service 'mail'; there are models for auth, web, db"):
        open_session("mail")


@pytest.mark.parametrize("service", SERVICES)
def test_new_lines_get_the_right_label_and_its_probability(service: str) -> None:
    numpy = pytest.importorskip("numpy")
    server_programs("onnxruntime")
    lines = [line for line in log_lines("held out", 600) if line.service == service]

    text = numpy.array([[line.content] for line in lines], dtype=object)
    labels, probabilities = open_session(service).run(["label", "probabilities"], {"text": text})

    right = sum(label == line.label for label, line in zip(labels, lines, strict=True))
    assert right >= 0.98 * len(lines)
    assert [LABELS_OF_MODELS[row.argmax()] for row in probabilities] == list(labels)
    assert abs(probabilities.sum(axis=1) - 1).max() < 1e-5
