"""Between two versions a warm sandbox ends their processes and keeps the drives' servers."""

import subprocess
import sys

import psutil
import pytest

from autograder.inside import servers
from autograder.inside.surroundings import Surroundings

SLEEPS = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_processes_of_a_version_are_ended_and_servers_of_the_drives_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    leftover, server = subprocess.Popen(SLEEPS), subprocess.Popen(SLEEPS)
    monkeypatch.setattr(servers, "_OWN", {server.pid})
    try:
        Surroundings().restore({})

        assert not psutil.pid_exists(leftover.pid)
        assert server.poll() is None
    finally:
        server.kill()
        server.wait()
