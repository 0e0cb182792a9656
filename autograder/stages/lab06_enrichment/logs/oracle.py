"""The right labels and scores: every line is classified separately, with the model of its service."""

from functools import cache
from typing import Any

from streamlab.lab06_enrichment.log_models import open_session

Line = list[Any]  # id, service, content


def labelled(batches: list[list[Line]]) -> list[list[list[Any]]]:
    """Return [label, score] of each line of each batch; [None, None] for lines that cannot be classified."""
    return [[_classified(service, content) for _, service, content in batch] for batch in batches]


def runs(batches: list[list[Line]]) -> list[list[list[Any]]]:
    """Return [service, lines] of each run that a batch needs, for each batch."""
    found = []
    for batch in batches:
        services = [service for _, service, content in batch if _classified(service, content)[0] is not None]
        found.append(sorted([service, services.count(service)] for service in set(services)))
    return found


def _classified(service: str | None, content: str | None) -> list[Any]:
    if content is None or not content.strip():
        return [None, None]
    session = _session(service)
    return [None, None] if session is None else _run(session, content)


@cache
def _session(service: str | None) -> Any:
    try:
        return open_session(str(service))
    except LookupError:
        return None


def _run(session: Any, content: str) -> list[Any]:
    """Classify one line in a batch of one."""
    import numpy as np

    (label,), (probabilities,) = session.run(["label", "probabilities"], {"text": np.array([[content]], object)})
    return [str(label), float(max(probabilities))]
