"""A small Python that waits until its parent ends, however that happens, and then ends a service of its.

Servers are detached, and a Python that is killed cannot clean up after itself. Keeps out: services that are meant
to stay, as those of `./lab services up`.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from streamlab.services.process import DetachedProcess

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 5.0


class Guard:
    """Watches over the service in `folder` until `leave()`; it ends it by the signal `number`."""

    def __init__(self, folder: Path, number: int = signal.SIGKILL) -> None:
        self._watcher = subprocess.Popen(
            [sys.executable, "-m", "streamlab.services.guard", str(folder), str(int(number))],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True,
        )  # fmt: skip

    def leave(self) -> None:
        """The service has been ended: nothing is left to watch over."""
        self._watcher.kill()
        self._watcher.wait()
        if self._watcher.stdin:
            self._watcher.stdin.close()


def main(folder: Path, number: int) -> None:
    """Wait for the end of the input, which is the end of the parent; then nothing of the service stays."""
    sys.stdin.buffer.read()
    DetachedProcess(folder / "pid.json", folder / "log").stop(PATIENCE_S, number)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
