"""A notebook client that keeps everything that the kernel sends as stderr, even after the cell that wrote it has ended.

A thread of the kernel forwards what a cell's subprocess writes to file descriptor 2. On a busy machine, it may do so
after the cell's last message, and nbclient drops whatever arrives after that one. This client keeps it. After each
cell, the client lets the kernel write a mark to the descriptor, and waits for the mark: the descriptor is a pipe, so by
then everything that was written earlier has arrived, too.
"""

import asyncio
from contextlib import suppress
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete
from nbformat import NotebookNode

MARK = "\x04"  # one character, so that two messages cannot share it
WRITE_MARK = f"__import__('os').write(2, {MARK.encode()!r})"
PATIENCE_S = 60.0


class StderrLost(Exception):
    """The kernel no longer forwards what is written to file descriptor 2."""


class StderrClient(NotebookClient):
    """Executes a notebook; `on_stderr` holds the text of each message on stderr, with the id of the running cell.

    Raises `StderrLost` if a cell closes or redirects the kernel's file descriptor 2.
    """

    def __init__(self, notebook: NotebookNode, **options: Any) -> None:
        super().__init__(notebook, **options)
        self.on_stderr: list[tuple[str, str]] = []
        self._running: str | None = None
        self.on_notebook_start = self._drop_output_of_the_start
        self.on_cell_executed = self._wait_for_stderr

    async def _async_poll_output_msg(self, parent_msg_id: str, cell: NotebookNode, cell_index: int) -> None:
        """Process the cell's messages up to its last one, as nbclient does; keep stderr, whichever cell it is from."""
        self._running = cell.id
        with suppress(CellExecutionComplete):
            while True:
                message = await self._next_message()
                if _parent_of(message) == parent_msg_id:
                    self.process_message(message, cell, cell_index)

    async def _next_message(self) -> dict[str, Any]:
        assert self.kc is not None
        message: dict[str, Any] = await self.kc.iopub_channel.get_msg(timeout=None)
        text = _stderr_of(message).replace(MARK, "")
        if text and self._running:
            self.on_stderr.append((self._running, text))
        return message

    async def _drop_output_of_the_start(self, **_: object) -> None:
        await self._wait_for_stderr()

    async def _wait_for_stderr(self, **_: object) -> None:
        """Wait until everything that has been written to stderr so far has arrived.

        Also wait until the kernel is idle: the interrupt that nbclient sends at the end would break a busy kernel.
        """
        is_marked = is_idle = False
        try:
            async with asyncio.timeout(PATIENCE_S):
                request = await self._write_mark()
                while not (is_marked and is_idle):
                    message = await self._next_message()
                    is_marked |= MARK in _stderr_of(message)
                    is_idle |= message["content"].get("execution_state") == "idle" and _parent_of(message) == request
        except TimeoutError:
            raise StderrLost from None

    async def _write_mark(self) -> str:
        """Let the kernel write the mark, and return the request's id.

        For a moment after an error, the kernel aborts all requests; then ask again.
        """
        client: Any = self.kc
        reply: dict[str, Any] = {"content": {"status": "aborted"}}
        while reply["content"]["status"] == "aborted":
            reply = await client.execute(WRITE_MARK, silent=True, store_history=False, reply=True)
        if reply["content"]["status"] != "ok":
            raise StderrLost
        return _parent_of(reply)


def _parent_of(message: dict[str, Any]) -> str:
    return str(message["parent_header"].get("msg_id"))


def _stderr_of(message: dict[str, Any]) -> str:
    content = message["content"]
    return str(content["text"]) if message["msg_type"] == "stream" and content["name"] == "stderr" else ""
