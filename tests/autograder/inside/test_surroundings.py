"""What a warm sandbox ends between two versions, and what stays for the next one."""

import subprocess
import sys

import psutil
import pytest

from autograder.inside import servers
from autograder.inside.surroundings import Surroundings

SLEEPS = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_a_versions_processes_are_ended_and_the_drives_servers_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    left, server = subprocess.Popen(SLEEPS), subprocess.Popen(SLEEPS)
    monkeypatch.setattr(servers, "_OWN", {server.pid})
    try:
        Surroundings().restore({})

        assert not psutil.pid_exists(left.pid)
        assert server.poll() is None
    finally:
        server.kill()
        server.wait()
