"""docker/compose.grading.yml gives extra rights only to the two workers, which start sandboxes."""

from pathlib import Path

import yaml

DOCKER = Path(__file__).resolve().parents[2] / "docker"
BASE, GRADING = (yaml.safe_load((DOCKER / name).read_text()) for name in ("compose.yml", "compose.grading.yml"))
WORKERS = {"spark-worker-1", "spark-worker-2"}


def test_only_the_workers_may_create_namespaces() -> None:
    allowed = {name for name, service in GRADING["services"].items() if "security_opt" in service}

    assert allowed == WORKERS


def test_no_restriction_of_compose_yml_is_lifted() -> None:
    taken = {"cap_add", "privileged", "user", "devices", "pid", "network_mode"}

    assert all(not taken & set(service) for service in GRADING["services"].values())
    assert all("no-new-privileges:true" in BASE["services"][name]["security_opt"] for name in WORKERS)


def test_only_the_grading_container_sees_the_work_of_students() -> None:
    assert "volumes" in GRADING["services"]["lab"]
    assert not any("volumes" in GRADING["services"][name] for name in WORKERS)
