"""Trains one small text classifier for each service of streamlab.lab06_enrichment.log_lines and writes it as NAME.onnx.

Run `python datasets/lab06_enrichment/log_models/train_log_models.py FOLDER` with scikit-learn and skl2onnx, which no
lock of the kit has. The input is raw text: the model itself extracts the words.
"""

import sys
from pathlib import Path

from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import StringTensorType
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from streamlab.lab06_enrichment.log_lines import LABELS, SERVICES, log_lines

OPSET = 17
TEST_LINES = 3000


def trained(service: str) -> tuple[Pipeline, float]:
    """Return a pipeline from text to label, and its accuracy on unseen lines."""
    lines = [line for line in log_lines("train", 3 * TEST_LINES, (1, 1, 1)) if line.service == service]
    words = TfidfVectorizer(lowercase=False, token_pattern="[a-zA-Z]+", max_features=200)  # case folding needs a locale
    pipeline = make_pipeline(words, LogisticRegression(max_iter=500, C=10.0))
    pipeline.fit([line.content for line in lines], [line.label for line in lines])
    others = [line for line in log_lines("test", TEST_LINES) if line.service == service]
    return pipeline, pipeline.score([line.content for line in others], [line.label for line in others])


def as_onnx(pipeline: Pipeline) -> bytes:
    """Return the model: input "text" (N, 1), outputs "label" (N,) and "probabilities" (N, 3)."""
    options = {id(pipeline.steps[-1][1]): {"zipmap": False}}
    text = [("text", StringTensorType([None, 1]))]
    return convert_sklearn(pipeline, initial_types=text, options=options, target_opset=OPSET).SerializeToString()


def main(folder: Path) -> None:
    """Write the models of all services."""
    for service in SERVICES:
        pipeline, accuracy = trained(service)
        model = as_onnx(pipeline)
        (folder / f"{service}.onnx").write_bytes(model)
        print(f"{service}.onnx: {len(model)} bytes, {sorted(LABELS)}, accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
