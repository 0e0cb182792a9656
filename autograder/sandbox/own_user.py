"""A user id that no other sandbox of this machine has, since limits and file ownership go by user.

A locked file reserves each id while its sandbox lives; the system releases the lock when the judge ends, for whatever
reason. The search starts at a random id, since judges in containers of one machine do not see each other's files.
"""

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path

from streamlab.java.cache import lock_file

FIRST, COUNT = 200_000, 50_000


class OwnUser:
    """One user id, reserved until `release`."""

    def __init__(self) -> None:
        start = secrets.randbelow(COUNT)
        for number in range(FIRST + start, FIRST + start + COUNT):
            self.uid = FIRST + number % COUNT
            if (lock := _locked(_file_of(self.uid))) is not None:
                self._lock = lock
                return
        raise RuntimeError(f"all {COUNT} user ids for sandboxes are taken")

    def release(self) -> None:
        """Release the id; a second call does nothing."""
        lock, self._lock = self._lock, -1
        if lock >= 0:
            _file_of(self.uid).unlink(missing_ok=True)  # before the lock: a process that gets it sees that it is gone
            os.close(lock)


def _file_of(uid: int) -> Path:
    return lock_file(f"user-{uid}")


def _locked(path: Path) -> int | None:
    """Return a descriptor that locks the file; None if another process has locked it or has since removed it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return descriptor
    os.close(descriptor)
    return None
