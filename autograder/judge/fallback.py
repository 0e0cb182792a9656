"""The second sandbox, in which the reference's tasks of earlier labs run for one submission's sandbox.

The submission's code cannot read the reference there: the two sandboxes share no process, memory, file or network. The
judge opens the second one at the first call, carries calls, callbacks, results and errors as JSON, and reads none.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from autograder.course import Limits
from autograder.inside.by_value import error_as_json
from autograder.judge.events import new_token
from autograder.judge.stop import Stop
from autograder.sandbox import Sandbox, SandboxDied, open_sandbox
from streamlab.granted_time import Deadline

MEMORY_MB = 1000
Message = dict[str, Any]


class Fallback:
    """The second sandbox of one other; `cells` are those of the reference, by full task name."""

    def __init__(
        self, level: str, root: Path, lab: str, limits: Limits, cells: dict[str, list[dict[str, Any]]], stop: Stop
    ) -> None:
        self._place = level, root, lab
        self._limits = limits.model_copy(update={"memory_mb": min(MEMORY_MB, limits.memory_mb)})
        self._cells, self._stop = cells, stop
        self._stack = ExitStack()
        self._sandbox: Sandbox | None = None

    def reply_to(self, message: Any, *until: Deadline) -> Message:
        """Return the reply to a message of the other sandbox; raises TimeoutError at the first of these deadlines."""
        if self._sandbox is None:
            self._sandbox = self._opened()
        self._sandbox.send({"message": message})
        try:
            while (event := self._sandbox.receive(*until))["event"] != "call":
                pass  # it is ready, or printed an audit finding
        except SandboxDied as death:
            return {"raise": error_as_json(RuntimeError(f"the reference solution of an earlier lab ended: {death}"))}
        reply = event.get("message")
        return reply if isinstance(reply, dict) else {}

    def _opened(self) -> Sandbox:
        sandbox, _ = open_sandbox(*self._place, self._limits)
        self._stack.enter_context(sandbox)
        self._stack.enter_context(self._stop.covers(sandbox))
        sandbox.send({"lab": self._place[2], "mode": "fallback", "earlier": self._cells, "token": new_token()})
        return sandbox

    @property
    def is_open(self) -> bool:
        """Whether a call has opened it."""
        return self._sandbox is not None

    @property
    def peak_mb(self) -> int:
        """The peak memory of all its processes together; 0 if no call has opened it."""
        return self._sandbox.peak_mb if self._sandbox else 0

    def close(self) -> None:
        """End the sandbox."""
        self._stack.close()
