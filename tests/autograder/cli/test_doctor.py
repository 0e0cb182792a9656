"""`./lab doctor` reports a cluster, services elsewhere, a container's sandbox and privacy in one line each."""

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.cli import doctor
from streamlab.services.ports import free_ports


class Master(http.server.BaseHTTPRequestHandler):
    """A test double for a Spark master's page."""

    status: dict[str, int]

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(self.status).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def master(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Master]]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Master) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{server.server_port}"
        monkeypatch.setenv("STREAMLAB_MASTER", f"spark://{address}")
        monkeypatch.setenv("STREAMLAB_MASTER_PAGE", f"http://{address}")
        yield Master
        server.shutdown()


@pytest.mark.parametrize("master_here", [None, "local[2]"])
def test_without_a_cluster_no_line_mentions_one(monkeypatch: pytest.MonkeyPatch, master_here: str | None) -> None:
    monkeypatch.delenv("STREAMLAB_MASTER", raising=False)
    if master_here:
        monkeypatch.setenv("STREAMLAB_MASTER", master_here)

    assert doctor._cluster() == []


@pytest.mark.parametrize(
    ("alive", "used", "state", "text"),
    [
        (2, 2, "ok", "2 workers, 6 of 8 cores free"),
        (2, 7, "note", "1 of 8 cores free; a new session waits for 2: shut down kernels that you no longer use"),
        (0, 0, "missing", "answers but has no workers: jobs would wait forever"),
    ],
)
def test_the_line_on_a_cluster_shows_its_workers_and_free_cores(
    master: type[Master], alive: int, used: int, state: str, text: str
) -> None:
    master.status = {"aliveworkers": alive, "cores": 8, "coresused": used}

    (found,) = doctor._cluster()

    assert (found.state, found.what) == (state, "cluster")
    assert found.text.endswith(text)


def test_a_cluster_that_does_not_answer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    (port,) = free_ports(1)
    monkeypatch.setenv("STREAMLAB_MASTER", f"spark://127.0.0.1:{port}")

    (found,) = doctor._cluster()

    assert found.state == "missing"
    assert "unset STREAMLAB_MASTER to work on this machine" in found.text


def test_the_line_on_a_service_elsewhere_shows_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    (port,) = free_ports(1)
    monkeypatch.setenv("STREAMLAB_KAFKA", f"127.0.0.1:{port}")

    found = {each.what: each for each in doctor._services()}["kafka"]

    assert found.state == "note"
    assert found.text.split() == ["silent", f"127.0.0.1:{port}", "not", "started", "from", "here"]


def test_a_service_elsewhere_without_a_port_is_missing_and_the_others_are_still_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STREAMLAB_KAFKA", "kafka")

    found = {each.what: each for each in doctor._services()}

    assert found["kafka"].state == "missing"
    assert found["kafka"].text == "STREAMLAB_KAFKA must be host:port, for example kafka:9092; got 'kafka'"
    assert list(found) == ["kafka", "zookeeper", "redis", "postgres", "cassandra"]


def test_the_line_on_java_names_the_options_that_the_labs_ignore(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_JAVA_OPTIONS", "-Xmx256m")
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "")

    found = doctor._java()

    assert (found.state, "ignore _JAVA_OPTIONS, set for" in found.text) == ("note", True)


def test_a_broken_course_is_missing_and_the_rest_of_the_machine_is_still_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "course.yml").write_text("labs: [")
    monkeypatch.setattr(doctor, "ROOT", tmp_path)

    ran = CliRunner().invoke(doctor.doctor)

    assert ran.exit_code == 2
    rows = [line.split() for line in ran.output.splitlines()]
    assert {row[1] for row in rows if row[0] == "missing"} == {"course", "labs", "packages"}
    assert {"python", "java", "disk", "kafka"} <= {row[1] for row in rows}


def test_the_line_on_a_container_says_that_it_has_no_sandbox_and_can_judge_only_own_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STREAMLAB_IN_CONTAINER", "1")
    monkeypatch.setattr(doctor, "why_not", lambda: "bubblewrap is not installed")

    assert doctor._sandbox().text == "none in a container: judges your own work only; grade a class outside"


def test_a_container_whose_workers_judge_shows_the_command_that_grades_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_IN_CONTAINER", "1")
    monkeypatch.setenv(doctor.WORKERS_JUDGE, "1")
    monkeypatch.setattr(doctor, "why_not", lambda: "bubblewrap is not installed")

    assert "`./lab grade LAB --master $STREAMLAB_MASTER`" in doctor._sandbox().text


@pytest.mark.parametrize(
    ("mode", "state"), [(0o755, "note"), (0o750, "note"), (0o700, "ok"), (0o2770, "ok"), (0o2775, "note")]
)
def test_a_class_folder_that_others_can_read_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, state: str
) -> None:
    tmp_path.chmod(mode)
    monkeypatch.setenv("STREAMLAB_CLASS", str(tmp_path))
    monkeypatch.setattr(doctor, "_open_to_others", lambda folder: False)

    assert doctor._class().state == state


def test_private_files_that_a_sandbox_shows_are_reported_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "why_not", lambda: None)
    monkeypatch.setattr("autograder.sandbox.bubblewrap.seen_inside", lambda paths, root: ["/kit/solutions"])

    assert [each.state for each in doctor._privacy()] == ["missing"]


@pytest.mark.parametrize(
    ("way", "mode", "is_open"), [(0o711, 0o755, True), (0o700, 0o755, False), (0o711, 0o750, False)]
)
def test_a_folder_is_open_to_others_only_if_its_parent_folders_are(
    tmp_path: Path, way: int, mode: int, is_open: bool
) -> None:
    folder = tmp_path / "way" / "solutions"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    folder.parent.chmod(way)

    assert doctor._open_to_others(folder, top=tmp_path) == is_open


@pytest.mark.parametrize(
    ("folders", "advice"),
    [
        (["user/systemd/private", "system"], "; `systemd-run --user --scope ./lab …` gives one"),
        (["user", "system"], "; `systemd-run --user --scope ./lab …` gives one to a user who logged in (not"),
        ([], ""),  # a container
    ],
)
def test_advice_on_memory_limits_is_given_only_where_it_can_be_followed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folders: list[str], advice: str
) -> None:
    for each in folders:
        (tmp_path / each).mkdir(parents=True)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "user"))

    found = doctor._advice_on_groups(tmp_path / "system")

    assert found.startswith(advice)
    assert bool(found) == bool(advice)
