"""Three small text classifiers in ONNX, one for each service of streamlab.lab06_enrichment.log_lines.

Input "text": strings, shape (N, 1). Outputs "label": strings, shape (N,), and "probabilities": floats, shape (N, 3), in
the order of `LABELS_OF_MODELS`. datasets/lab06_enrichment/log_models has the recipe.
"""

from pathlib import Path
from typing import Any

from streamlab.lab06_enrichment.log_lines import LABELS, SERVICES

FOLDER = Path(__file__).resolve().parents[2] / "datasets" / "lab06_enrichment" / "log_models"
LABELS_OF_MODELS = tuple(sorted(LABELS))
ONLY_FATAL = 4


def model_of(service: str) -> bytes:
    """Return the model of a service; raises LookupError for a service without one.

    Example: len(model_of("auth")) -> 2991
    """
    if service not in SERVICES:
        raise LookupError(f"no model for the service {service!r}; there are models for {', '.join(SERVICES)}")
    return (FOLDER / f"{service}.onnx").read_bytes()


def open_session(service: str) -> Any:
    """Return an `onnxruntime.InferenceSession` on one thread; raises LookupError for a service without a model.

    Sessions cannot be pickled: open them in the process that uses them.
    Example: open_session("auth").run(["label"], {"text": np.array([["Invalid user eve"]])})
    """
    model = model_of(service)
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = ONLY_FATAL  # errors are raised, and would otherwise be printed, too
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
