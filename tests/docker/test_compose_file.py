"""Services of docker/compose.yml are limited, with keys of compose 1.29 and 2; workers get more rights for grading."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from streamlab.services.catalogue import KINDS

DOCKER = Path(__file__).resolve().parents[2] / "docker"
TEXT = (DOCKER / "compose.yml").read_text(encoding="utf-8")
FILE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, Any] = FILE["services"]


def test_the_services_are_a_cluster_with_two_workers_and_the_servers_of_the_labs() -> None:
    of_harmonicio = {"harmonic-worker-1", "harmonic-worker-2"}

    assert set(SERVICES) == {"lab", "spark-master", "spark-worker-1", "spark-worker-2", *KINDS} | of_harmonicio
    assert {name for name, service in SERVICES.items() if "profiles" in service} == {"cassandra"} | of_harmonicio


@pytest.mark.parametrize("number", [1, 2])
def test_a_worker_of_harmonicio_has_one_core_and_only_other_containers_can_reach_it(number: int) -> None:
    name = f"harmonic-worker-{number}"

    assert SERVICES[name]["cpus"] == 1.0
    assert SERVICES[name]["command"][-1] == f"{SERVICES[name]['hostname']}:5701" == f"{name}:5701"
    assert "ports" not in SERVICES[name]


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_limited_unprivileged_and_has_a_health_check(name: str) -> None:
    service = SERVICES[name]

    assert service["healthcheck"]["test"][0] == "CMD"
    assert service["healthcheck"]["start_period"] == "120s"
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert "container_name" not in service


@pytest.mark.parametrize("name", SERVICES)
def test_ports_are_bound_to_loopback_and_can_be_configured(name: str) -> None:
    for port in SERVICES[name].get("ports", []):
        assert re.fullmatch(r"127\.0\.0\.1:(\$\{STREAMLAB_\w*PORT:-\d+\}):(\d+|\1)", port)


def test_one_service_builds_the_image_that_all_run() -> None:
    assert [name for name, service in SERVICES.items() if "build" in service] == ["lab"]
    assert {service["image"] for service in SERVICES.values()} == {"${STREAMLAB_IMAGE:-streamlab}"}


def test_notebooks_and_workers_see_the_same_files() -> None:
    seen = {name: SERVICES[name]["volumes"] for name in ("lab", "spark-worker-1", "spark-worker-2")}

    assert set(map(tuple, seen.values())) == {("${STREAMLAB_WORK:-work}:/opt/streamlab/work", "scratch:/scratch")}
    assert SERVICES["lab"]["environment"]["TMPDIR"] == "/scratch"


def test_only_keys_that_both_versions_of_compose_know_are_used() -> None:
    assert set(FILE) <= {"services", "volumes", "x-every", "x-check", "x-folders", "x-worker"}
    for word in ("start_interval", "pull_policy", "develop:", "configs:", "secrets:", "include:", "${X:+"):
        assert word not in TEXT


@pytest.mark.parametrize("file", ["Dockerfile", "compose.yml", "bake.py", "open-lab", "lab-docker"])
def test_the_files_do_not_depend_on_an_architecture(file: str) -> None:
    assert not re.search(r"amd64|arm64|x86_64|aarch64|platform:", (DOCKER / file).read_text(encoding="utf-8"))


def test_every_setting_is_listed_in_the_env_file() -> None:
    used = set(re.findall(r"\$\{(\w+):-", TEXT)) - {"STREAMLAB_IMAGE"}
    documented = set(re.findall(r"^#? ?(\w+)=", (DOCKER / ".env").read_text(encoding="utf-8"), re.MULTILINE))

    assert used | {"COMPOSE_PROJECT_NAME"} == documented


GRADING: dict[str, Any] = yaml.safe_load((DOCKER / "compose.grading.yml").read_text(encoding="utf-8"))
WORKERS = {"spark-worker-1", "spark-worker-2"}


def test_only_the_workers_may_create_namespaces() -> None:
    allowed = {name for name, service in GRADING["services"].items() if "security_opt" in service}

    assert allowed == WORKERS


def test_no_restriction_of_compose_yml_is_lifted() -> None:
    taken = {"cap_add", "privileged", "user", "devices", "pid", "network_mode"}

    assert all(not taken & set(service) for service in GRADING["services"].values())
    assert all("no-new-privileges:true" in SERVICES[name]["security_opt"] for name in WORKERS)


def test_only_the_grading_container_sees_the_work_of_students() -> None:
    assert "volumes" in GRADING["services"]["lab"]
    assert not any("volumes" in GRADING["services"][name] for name in WORKERS)
