"""A process in a container of its own, by docker's command line: another way to run a processing engine.

Engines are containers of the kit's own image, and share the network of the machine, so that the loopback is enough for
them: this is for Linux. Only a program that may use docker can start them. Inside of the docker environment none may: a
container that reaches docker's engine can do what root can do on the machine.
"""

import itertools
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

LOCKED = ("--network=host", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--read-only", "--tmpfs=/tmp")
_numbers = itertools.count()


def must_have(image: str) -> None:
    """Raise RuntimeError, with the next step, unless docker answers and has this image."""
    try:
        asked = subprocess.run(["docker", "image", "inspect", image], capture_output=True, text=True)
    except FileNotFoundError:
        raise RuntimeError("engines in containers need docker, and it is not installed here") from None
    if asked.returncode:
        why = (asked.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise RuntimeError(f"docker cannot run the image {image} ({why}); `docker/lab-docker up` builds it")


class Container:
    """One container, which begins at once, runs `command`, and is removed when that ends; it prints to `output`."""

    def __init__(self, image: str, command: Sequence[str], output: Path) -> None:
        self._name = f"streamlab-engine-{os.getpid()}-{next(_numbers)}"
        line = ["docker", "run", "--rm", f"--name={self._name}", *LOCKED, image, *command]
        with output.open("wb") as file:
            self._client = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=file)

    def kill(self) -> None:
        """End all that runs in the container, as SIGKILL does; one that has not begun begins, and then ends."""
        while not self.has_ended():
            asked = subprocess.run(["docker", "kill", self._name], capture_output=True)
            if asked.returncode == 0:
                return
            self.wait(0.1)

    def has_ended(self) -> bool:
        """Whether its process has ended."""
        return self._client.poll() is not None

    def wait(self, limit_s: float) -> None:
        """Wait until it has ended, at most `limit_s` seconds."""
        try:
            self._client.wait(limit_s)
        except subprocess.TimeoutExpired:
            return
