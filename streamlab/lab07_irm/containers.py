"""A process in a separate container, started with docker's command line: another way to run a processing engine.

The containers run the kit's own image and share the machine's network, so engines can use the loopback; this needs
Linux. Only a program that may use docker can start them. No program inside the docker environment may, since a
container that reaches docker's engine has the rights of root on the machine.
"""

import itertools
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

LOCKED = ("--network=host", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--read-only", "--tmpfs=/tmp")
_numbers = itertools.count()


def require_image(image: str) -> None:
    """Raise RuntimeError, with the next step, unless docker answers and has this image."""
    try:
        inspection = subprocess.run(["docker", "image", "inspect", image], capture_output=True, text=True)
    except FileNotFoundError:
        raise RuntimeError("engines in containers need docker, and it is not installed here") from None
    if inspection.returncode:
        reason = (inspection.stderr.strip().splitlines() or ["no error message"])[-1]
        raise RuntimeError(f"docker cannot run the image {image} ({reason}); `docker/lab-docker up` builds it")


class Container:
    """A container that starts at once, runs `command`, prints to `output`, and is removed when the command ends."""

    def __init__(self, image: str, command: Sequence[str], output: Path) -> None:
        self._name = f"streamlab-engine-{os.getpid()}-{next(_numbers)}"
        line = ["docker", "run", "--rm", f"--name={self._name}", *LOCKED, image, *command]
        with output.open("wb") as file:
            self._client = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=file)

    def kill(self) -> None:
        """Kill all processes in the container with SIGKILL; waits for a container that has not started yet."""
        while not self.has_ended():
            kill = subprocess.run(["docker", "kill", self._name], capture_output=True)
            if kill.returncode == 0:
                return
            self.wait(0.1)

    def has_ended(self) -> bool:
        """Return whether its process has ended."""
        return self._client.poll() is not None

    def wait(self, limit_s: float) -> None:
        """Wait until its process has ended, at most `limit_s` seconds."""
        try:
            self._client.wait(limit_s)
        except subprocess.TimeoutExpired:
            return
