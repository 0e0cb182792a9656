"""The whole of HarmonicIO on loopback: a real master, a few pictures, and engines that are killed or crash."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from streamlab.lab07_irm import cluster
from streamlab.lab07_irm.cell_pictures import cell_picture
from streamlab.lab07_irm.cluster import LiveRun, Setup, play_pictures
from streamlab.lab07_irm.datatypes import Order, Plan, Seen, Start
from streamlab.services.ports import free_ports
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.lab07_irm.conftest import Until, answers, need_scikit_image

need_scikit_image()

PICTURES = [cell_picture(seed, cells=8, size=128) for seed in (2, 3)]
TWO = Setup(cores=1, speed=0.1)  # a picture takes some 0.2 s


class TwoEngines:
    """A manager that runs two engines, one on each worker, as long as messages wait."""

    def __init__(self) -> None:
        self.running: dict[str, int] = {}
        self.count = 0

    def tick(self, seen: Seen) -> Plan:
        for engine in seen.ended:
            del self.running[engine]
        starts = []
        for worker in {0, 1} - set(self.running.values()):
            if seen.waiting["cells"]:
                self.count += 1
                starts.append(Start(f"cells-{self.count}", "cells", worker, 500))
                self.running[starts[-1].engine] = worker
        return Plan(starts, 2, 2, [500, 500], {})


class KillsAWorker(TwoEngines):
    has_killed = False

    def tick(self, seen: Seen) -> Plan:
        if seen.loads["cells"] and not self.has_killed:
            self.has_killed = True
            children = psutil.Process().children()
            next(each for each in children if "streamlab.lab07_irm.worker" in each.cmdline()).kill()
        return super().tick(seen)


class Broken(TwoEngines):
    def tick(self, seen: Seen) -> Plan:
        if self.running:
            raise ZeroDivisionError("a mistake")
        return super().tick(seen)


@pytest.fixture(scope="module")
def new_master() -> Any:
    return reference("lab07_irm").Master


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set short ticks, engines that leave soon, and time for workers on a busy machine to import scikit-image."""
    monkeypatch.setattr(cluster, "TICK_S", 0.1)
    monkeypatch.setattr(cluster, "IDLE_S", 0.5)
    monkeypatch.setattr(cluster, "READY_S", 100.0)
    monkeypatch.delenv("STREAMLAB_HOST", raising=False)


@pytest.fixture
def nothing_is_left(started_here: Callable[[], list[int]], until: Until) -> Any:
    yield
    assert until(lambda: not started_here()), started_here()


def all_measured(run: LiveRun, pictures: int) -> bool:
    return not run.failed and len(run.measured) >= pictures and {cells for cells, _ in run.measured} == {8}


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_is_left")
def test_all_pictures_finish_even_if_an_engine_is_killed(new_master: Any) -> None:
    setup = Setup(cores=1, speed=0.05, kill_after=2)
    run = play_pictures(new_master(), TwoEngines(), PICTURES * 5, 0.01, setup)

    assert all_measured(run, 10)
    assert run.killed in run.engines
    assert len(run.engines) >= 3  # the killed engine has a successor
    assert set(run.engines.values()) == {0, 1}
    assert (run.moments[-1].finished, run.moments[-1].engines) == (10, 0)
    assert all(0 <= began_s < ended_s <= run.makespan_s + 0.1 for began_s, ended_s in run.busy_s)
    assert len(run.busy_s) == len(run.measured)


@pytest.mark.usefixtures("nothing_is_left", "students_folder")  # workers do not import its files
def test_only_payloads_that_the_connector_stored_pass_through_the_master(new_master: Any) -> None:
    may_send = threading.Semaphore(1)

    class Tells(new_master):  # type: ignore[misc]
        def done(self, engine: str, message: str) -> list[Order]:
            orders: list[Order] = super().done(engine, message)
            may_send.release()
            return orders

    class OneByOne(list[bytes]):
        def __iter__(self) -> Iterator[bytes]:
            return (picture for picture in super().__iter__() if may_send.acquire())

    run = play_pictures(Tells(), TwoEngines(), OneByOne(PICTURES * 4), 0.0, TWO)  # the first one finds no engine

    assert all_measured(run, 8)
    assert run.pushed > 0
    assert 0 < run.master_bytes == run.stored_bytes < sum(map(len, PICTURES * 4))


@pytest.mark.usefixtures("nothing_is_left")
def test_a_message_that_crashes_every_engine_fails_after_its_last_try(new_master: Any) -> None:
    run = play_pictures(new_master(tries=2), TwoEngines(), [*PICTURES, b"not a picture", *PICTURES], 0.01, TWO)

    assert run.failed == ["m2"]
    assert [cells for cells, _ in run.measured] == [8] * 4
    assert len(run.engines) >= 2  # two of them crashed


@pytest.mark.usefixtures("nothing_is_left")
def test_an_error_in_the_master_ends_the_run_with_that_error(new_master: Any) -> None:
    class Mistaken(new_master):  # type: ignore[misc]
        def done(self, engine: str, message: str) -> list[Order]:
            raise KeyError("of the master")

    with pytest.raises(KeyError, match="of the master"):
        play_pictures(Mistaken(), TwoEngines(), PICTURES * 3, 0.01, TWO)


@pytest.mark.usefixtures("nothing_is_left")
def test_an_error_in_the_manager_ends_the_run_with_that_error(new_master: Any) -> None:
    with pytest.raises(ZeroDivisionError, match="a mistake"):
        play_pictures(new_master(), Broken(), PICTURES * 3, 0.01, TWO)


@pytest.mark.usefixtures("nothing_is_left")
def test_a_worker_that_ends_ends_the_run_with_one_line(new_master: Any) -> None:
    with pytest.raises(ConnectionError, match=r"^worker [01] has ended$"):
        play_pictures(new_master(), KillsAWorker(), PICTURES * 8, 0.01, TWO)


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_is_left")
def test_workers_on_named_hosts_serve_one_run_after_another(new_master: Any, until: Until) -> None:
    places = [("127.0.0.1", port) for port in free_ports(2)]
    hosts = tuple(f"{host}:{port}" for host, port in places)
    program = [sys.executable, "-m", "streamlab.lab07_irm.worker"]
    workers = [subprocess.Popen([*program, host], stdin=subprocess.DEVNULL) for host in hosts]
    try:
        assert until(lambda: all(map(answers, places)))
        setup = Setup(cores=1, speed=0.05, kill_after=2, hosts=hosts)
        runs = [play_pictures(new_master(), TwoEngines(), PICTURES * 3, 0.01, setup) for _ in range(2)]
    finally:
        for each in workers:
            each.kill()
            each.wait()

    assert all(all_measured(run, 6) and run.killed for run in runs)


def test_a_host_without_a_worker_is_reported_in_one_line(new_master: Any) -> None:
    (port,) = free_ports(1)

    with pytest.raises(ConnectionError, match=rf"no worker answers at 127.0.0.1:{port} .*; start it with"):
        play_pictures(new_master(), TwoEngines(), PICTURES, 0.01, Setup(hosts=(f"127.0.0.1:{port}",)))


FAKE_DOCKER = """#!/bin/sh
# Runs the command of the container as a process of this machine.
here=$(dirname "$0")
case $1 in
  image) exit 0 ;;
  kill) kill -9 "$(cat "$here/$2.pid")" ;;
  run)
    while [ "$1" != streamlab ]; do case $1 in --name=*) name=${1#--name=} ;; esac; shift; done
    shift
    echo $$ >"$here/$name.pid"
    exec "$@" ;;
esac
"""


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_is_left")
def test_engines_run_in_containers_if_an_image_is_named(
    new_master: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docker").write_text(FAKE_DOCKER)
    (tmp_path / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    setup = Setup(cores=1, speed=0.05, kill_after=2, container="streamlab")
    run = play_pictures(new_master(), TwoEngines(), PICTURES * 4, 0.01, setup)

    assert all_measured(run, 8)
    assert run.killed in run.engines
    assert len(list(tmp_path.glob("streamlab-engine-*.pid"))) == len(run.engines)


@pytest.mark.parametrize(
    ("docker", "message"),
    [
        (None, "engines in containers need docker, and it is not installed here"),
        (
            "echo No such image >&2; exit 1",
            r"docker cannot run the image streamlab \(No such image\); `docker/lab-docker",
        ),
    ],
    ids=["no docker", "no image"],
)
def test_missing_docker_or_image_is_reported_before_anything_starts(
    new_master: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, docker: str | None, message: str
) -> None:
    if docker:
        (tmp_path / "docker").write_text(f"#!/bin/sh\n{docker}\n")
        (tmp_path / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(RuntimeError, match=message):
        play_pictures(new_master(), TwoEngines(), PICTURES, 0.01, Setup(container="streamlab"))
