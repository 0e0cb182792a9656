"""The files of a lab's services are fetched before its sandbox opens; a failure stops judging with the reason."""

from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.judge.service_files import fetch_for, require_packages
from autograder.sandbox import SandboxUnavailable
from streamlab.java.download import FetchFailed
from streamlab.services.kafka import Kafka


def test_a_lab_without_services_needs_nothing() -> None:
    fetch_for("lab99_tiny", [], lambda text: None)


def test_a_failed_download_stops_the_judge_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(on_progress: object) -> None:
        raise FetchFailed("network", "the repository cannot be reached")

    monkeypatch.setattr(Kafka, "fetch", fails)

    with pytest.raises(SandboxUnavailable, match="lab99_tiny needs kafka: the repository cannot be reached"):
        fetch_for("lab99_tiny", ["kafka"], lambda text: None)


def test_a_lab_with_missing_packages_is_not_judged_and_the_error_gives_the_next_step(tmp_path: Path) -> None:
    course = load_course(Path(__file__).resolve().parents[3])
    lab = course.labs["lab01_wordcount"].model_copy(update={"locks": ["requirements-lab42.lock"]})
    course = course.model_copy(update={"labs": {"lab42": lab}})
    (tmp_path / "requirements-lab42.lock").write_text("no-such-package==1\n")

    with pytest.raises(SandboxUnavailable, match=r"lab42 needs no-such-package 1, .* `\./lab start lab42` installs it"):
        require_packages(tmp_path, course, "lab42")
