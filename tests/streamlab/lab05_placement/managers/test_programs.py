"""Managers and candidates as real processes, with classes that ignore claims and terms."""

import uuid
from pathlib import Path

import pytest

from streamlab import running
from streamlab.lab05_placement.managers import Candidate, Member, Registry
from streamlab.lab05_placement.managers.processes import Processes, ProcessFailed
from streamlab.lab05_placement.managers.programs import Logged, connected, read_log, run_candidate, run_manager
from streamlab.lab05_placement.numa import Topology
from tests.streamlab.services.conftest import wait_until

ONE_NODE = Topology({0: [0]}, {0: {0: 10}})


class StartsOnce(Member):
    def step(self) -> None:
        if not self.running:
            self.running.add("i")
            self.start("i")


class LeadsAtOnce(Candidate):
    def lead(self, timeout_s: float) -> int:
        return 5

    def step(self) -> int:
        return 0


class Fails(Member):
    def step(self) -> None:
        raise RuntimeError("no step")


def test_processes_log_their_actions_until_they_are_killed() -> None:
    root = f"/cep-{uuid.uuid4().hex[:8]}"
    with running("zookeeper") as zookeeper, Processes() as processes:
        zk = connected(zookeeper.address, session_s=4.0)
        registry = Registry(zk, root)
        registry.prepare()
        processes.start("m0", run_manager, StartsOnce, zookeeper.address, root, session_s=1.0, node=2)
        processes.start("x", run_candidate, LeadsAtOnce, zookeeper.address, root, session_s=1.0, topology=ONE_NODE)
        processes.start("bad", run_manager, Fails, zookeeper.address, root, session_s=1.0, node=0)

        wait_until(lambda: bool(processes.log("m0")) and len(processes.log("x")) == 2)
        assert [(each.what, each.instance) for each in processes.log("m0")] == [("start", "i")]
        assert [(each.what, each.instance) for each in processes.log("x")] == [("waits", "x"), ("leads", "5")]
        assert registry.read("managers", "m0") == {"node": 2}
        with pytest.raises(ProcessFailed, match="bad has ended: RuntimeError: no step"):
            wait_until(lambda: bool(processes.log("bad")))
        killed_s = processes.kill("m0")
        wait_until(lambda: "m0" not in registry.names("managers"))
        assert killed_s > processes.log("m0")[0].at_s
        zk.stop()
        zk.close()


def returns(role: object, address: str, root: str, name: str, log: Path) -> None:
    log.write_text(f"1.5 start {name}\n")


def test_a_process_does_not_import_files_of_the_notebooks_folder(students_folder: Path) -> None:
    with Processes() as processes:
        processes.start("m0", returns, None, "", "")

        wait_until(lambda: bool(processes.log("m0")))
        assert processes.log("m0") == [Logged(1.5, "start", "m0")]


def test_an_unfinished_line_is_not_read(tmp_path: Path) -> None:
    log = tmp_path / "log"

    assert read_log(log) == []
    log.write_text("1.5 start a1\n2.5 sto")

    assert read_log(log) == [Logged(1.5, "start", "a1")]
