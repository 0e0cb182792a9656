"""What docker/compose.grading.yml allows, and to whom: the two workers, which start sandboxes, and nobody else."""

from pathlib import Path

import yaml

DOCKER = Path(__file__).resolve().parents[2] / "docker"
BASE, GRADING = (yaml.safe_load((DOCKER / name).read_text()) for name in ("compose.yml", "compose.grading.yml"))
WORKERS = {"spark-worker-1", "spark-worker-2"}


def test_only_the_workers_may_make_namespaces() -> None:
    allowed = {name for name, service in GRADING["services"].items() if "security_opt" in service}

    assert allowed == WORKERS


def test_nothing_that_compose_yml_takes_away_is_given_back() -> None:
    taken = {"cap_add", "privileged", "user", "devices", "pid", "network_mode"}

    assert all(not taken & set(service) for service in GRADING["services"].values())
    assert all("no-new-privileges:true" in BASE["services"][name]["security_opt"] for name in WORKERS)


def test_students_work_is_seen_by_the_container_that_grades_and_by_no_worker() -> None:
    assert "volumes" in GRADING["services"]["lab"]
    assert not any("volumes" in GRADING["services"][name] for name in WORKERS)
