"""What a lab's services need is fetched before its sandbox opens, or the reason is told."""

import pytest

from autograder.judge.service_files import fetch_for
from autograder.sandbox import SandboxUnavailable
from streamlab.java.download import FetchFailed
from streamlab.services.kafka import Kafka


def test_a_lab_without_services_needs_nothing() -> None:
    fetch_for("lab99_tiny", [], lambda text: None)


def test_what_cannot_be_had_stops_the_judge_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(on_progress: object) -> None:
        raise FetchFailed("network", "the repository cannot be reached")

    monkeypatch.setattr(Kafka, "fetch", fails)

    with pytest.raises(SandboxUnavailable, match="lab99_tiny needs kafka: the repository cannot be reached"):
        fetch_for("lab99_tiny", ["kafka"], lambda text: None)
