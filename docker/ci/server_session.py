"""Run a solved lab from top to bottom through the port of a Jupyter server, as a browser does.

Usage: .venv/bin/python docker/ci/server_session.py ADDRESS LAB, with the token in STREAMLAB_TOKEN. The server's folder
must hold LAB's starter. The first problem ends the session with one line and code 1.
"""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import nbformat
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from autograder.builder.notebook import reference_notebook
from autograder.cli.context import ROOT, course

VERDICT = re.compile(r"^\w+ · .+ (\w+) +[\d.]+/[\d.]+$", re.MULTILINE)
STALL_S = 120.0  # for one message of the kernel


class Server:
    """A Jupyter server at `address`; `token` gives access to it."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.headers = address, {"Authorization": f"token {token}"}

    async def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the parsed response to a request of the server's REST interface."""
        text = None if body is None else json.dumps(body)
        request = HTTPRequest(f"{self.address}/api/{path}", method, self.headers, text, request_timeout=60)
        return json.loads((await AsyncHTTPClient().fetch(request)).body)

    async def connect(self, kernel: str) -> WebSocketClientConnection:
        """Open the channels of a kernel."""
        url = f"{self.address}/api/kernels/{kernel}/channels".replace("http", "ws", 1)
        return await websocket_connect(HTTPRequest(url, headers=self.headers), max_message_size=1 << 26)


async def run(server: Server, lab: str) -> int:
    """Store the solved notebook, run its code cells, and return how many checks pass; all must."""
    path = f"{lab}/{lab}.ipynb"
    starter = (await server.call("GET", f"contents/{path}"))["content"]
    solved = reference_notebook(ROOT, course(), lab)
    must(len(starter["cells"]) == len(solved.cells), f"the starter of {lab} on the server", len(starter["cells"]))
    await server.call("PUT", f"contents/{path}", {"type": "notebook", "content": solved})
    session = {"path": path, "name": lab, "type": "notebook", "kernel": {"name": "python3"}}
    kernel = (await server.call("POST", "sessions", session))["kernel"]["id"]
    channels = await server.connect(kernel)
    passed = 0
    for cell in solved.cells:
        if cell.cell_type == "code":
            passed += passes(cell, await outputs_of(channels, cell.source))
    return passed


async def outputs_of(channels: WebSocketClientConnection, source: str) -> list[Any]:
    """Execute a cell and return its outputs, as the notebook would keep them."""
    header = {"msg_id": uuid4().hex, "msg_type": "execute_request", "username": "", "session": "ci", "version": "5.3"}
    content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
    about = {"header": header, "parent_header": {}, "metadata": {}, "channel": "shell", "buffers": []}
    await channels.write_message(json.dumps({**about, "content": content}))
    outputs: list[Any] = []
    while True:
        text = await asyncio.wait_for(channels.read_message(), STALL_S)
        must(text is not None, "the kernel's answer", "the end of the connection")
        message = json.loads(text)
        if message["parent_header"].get("msg_id") != header["msg_id"] or message["channel"] != "iopub":
            continue
        kind = message["header"]["msg_type"]
        if kind == "status" and message["content"]["execution_state"] == "idle":
            return outputs
        if kind == "update_display_data":  # a check that has shown its progress shows its verdicts in the same place
            message["header"]["msg_type"] = kind = "display_data"
        if kind in ("stream", "display_data", "execute_result", "error"):
            outputs.append(nbformat.v4.output_from_msg(message))


def passes(cell: Any, outputs: list[Any]) -> int:
    """Return how many checks of a cell pass; all must, at least one in each check cell, without any error."""
    wrong = [each for each in outputs if each.output_type == "error" or each.get("name") == "stderr"]
    must(not wrong, f"neither an error nor anything on stderr in cell {cell.id}", wrong[:1])
    texts = [each.get("text") or each.get("data", {}).get("text/plain", "") for each in outputs]
    verdicts = VERDICT.findall("\n".join(texts))
    must(set(verdicts) <= {"pass"}, f"every check to pass in cell {cell.id}", verdicts)
    must(bool(verdicts) or not cell.id.startswith("check-"), f"a verdict in cell {cell.id}", "none")
    return len(verdicts)


def must(holds: bool, expected: str, got: object) -> None:
    """Exit with one line unless `holds` is true."""
    if not holds:
        sys.exit(f"session: expected {expected}, got {got}")


if __name__ == "__main__":
    where, name = sys.argv[1:]
    count = asyncio.run(run(Server(where.rstrip("/"), os.environ["STREAMLAB_TOKEN"]), name))
    must(count > 0, "checks that pass", count)
    print(f"{name}: all cells ran through {where}, {count} checks pass")
