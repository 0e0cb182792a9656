"""A small Python process that waits until its parent ends, for any reason, and then stops the parent's service.

Servers are detached, and a Python that is killed cannot clean up after itself. Services of `./lab services up` have no
guard, since they outlive their parent.
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
    """Watches over the service in `folder` until `leave()`; it stops the service with the signal `number`."""

    def __init__(self, folder: Path, number: int = signal.SIGKILL) -> None:
        self._watcher = subprocess.Popen(
            [sys.executable, "-m", "streamlab.services.guard", str(folder), str(int(number))],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True,
        )  # fmt: skip

    def leave(self) -> None:
        """End the watch, after the service has been stopped."""
        self._watcher.kill()
        self._watcher.wait()
        if self._watcher.stdin:
            self._watcher.stdin.close()


def main(folder: Path, number: int) -> None:
    """Wait for the end of the input, which means that the parent ended; then stop the service and delete its folder."""
    sys.stdin.buffer.read()
    DetachedProcess(folder / "pid.json", folder / "log").stop(PATIENCE_S, number)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
