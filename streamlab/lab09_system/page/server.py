"""Serves the page: files, one stream of server-sent events, and POST for faults, on this machine's loopback.

In a container it also listens on the container's address, to which the published port of the host's loopback leads.
Everybody on a shared machine reaches its loopback, and so does every page in the browser. So each request must have
the token, which is part of the path, and name this server as its host (in a JupyterHub: the hub, whose proxy passes the
name on); one that says from where it comes must come from that host.
"""

import asyncio
import json
import os
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import tornado.httpserver
import tornado.iostream
import tornado.netutil
import tornado.web

from streamlab.lab09_system.page import uplot
from streamlab.lab09_system.page.districts import neighbouring_districts
from streamlab.lab09_system.page.message import FAULTS, Message, Source
from streamlab.lab09_system.page.running import prefix_in_hub
from streamlab.lab09_system.parts import LIVE_TASKS, VIRTUAL_TASKS
from streamlab.own_host import LOOPBACK as HOST
from streamlab.own_host import own_host
from streamlab.views.system_map import (
    NARROW,
    NOT_YET,
    PARTS,
    STYLE,
    WIDE,
    Owner,
    Tasks,
    lab_number,
    name_of,
    system_map,
)

FOLDER = Path(__file__).resolve().parent
HISTORY = 240  # messages that a new page gets at once
FILES = {"page.css": "text/css", "map.css": "text/css", "page.js": "text/javascript", "charts.js": "text/javascript"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
NOT_HERE = {"virtual": "simulated", "recorded": "recorded or not used", "live": "not used"}  # tasks that do not run
WRONG_TOKEN = "open the complete address that `./lab system up` printed; it ends with a token"


def content_of(name: str) -> bytes | None:
    """Return one of FILES or of uPlot's; None if it is neither, or uPlot was never fetched."""
    if name == "map.css":
        return STYLE.encode()
    return (FOLDER / name).read_bytes() if name in FILES else uplot.content(name) if name in uplot.FILES else None


class Server:
    """Runs `source` and shows it at `address`, with the `tasks` of each part of the system and their `owners`.

    `say` gets a line about what happens to the page; `notes` are lines below the table of parts.
    """

    def __init__(
        self,
        source: Source,
        tasks: Tasks,
        owners: Mapping[str, Owner],
        say: Callable[[str], None],
        notes: Sequence[str] = (),
    ) -> None:
        self.source, self.tasks, self.owners, self._say, self.notes = source, tasks, owners, say, notes
        self.token, self.port = secrets.token_urlsafe(16), 0
        self.history: deque[Message] = deque(maxlen=HISTORY)
        self._listeners: set[asyncio.Queue[str]] = set()
        self._one_thread = ThreadPoolExecutor(1)  # the source is used by one thread only

    @property
    def address(self) -> str:
        """The page's address, with the token."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    def how_it_runs(self, task: str) -> str:
        """Return what a task does in this system: it runs, or what it would do is simulated or recorded."""
        if task in self.source.tasks:
            return "runs"
        if self.source.kind != "recorded":
            return NOT_HERE[self.source.kind]
        return "recorded" if task in VIRTUAL_TASKS else "in `up` only" if task in LIVE_TASKS else "not used"

    def page(self) -> str:
        """Return the page, with the map drawn for wide and for narrow windows."""
        page = (FOLDER / "page.html").read_text(encoding="utf-8")
        shown = self.source.tasks, NOT_HERE[self.source.kind]
        for name, layout in (("wide", WIDE), ("narrow", NARROW)):
            page = page.replace(f"<!-- {name} map -->", system_map(self.tasks, self.owners, layout, *shown))
        if uplot.content("uPlot.min.css") is None:
            page = "".join(line for line in page.splitlines(keepends=True) if "uPlot" not in line)
        return page

    def start(self) -> dict[str, Any]:
        """Return what the page needs once: texts, owners, districts, and the last messages."""
        rows = [
            [part.title, name_of(task), lab_number(task), self.owners.get(task, NOT_YET), self.how_it_runs(task)]
            for part in PARTS
            for task in self.tasks.get(part.box, ())
        ]
        return {
            "kind": self.source.kind,
            "remark": self.source.remark,
            "faults": FAULTS,
            "parts": rows,
            "districts": neighbouring_districts(),
            "notes": self.notes,
            "history": list(self.history),
        }

    def listen(self, port: int) -> None:
        """Listen on `port` of the loopback, and in a container of `own_host()`; 0: on a free one. Raises OSError."""
        application = tornado.web.Application(
            [
                (r"/([\w-]+)/", Page),
                (r"/([\w-]+)/start\.json", Start),
                (r"/([\w-]+)/events", Events),
                (r"/([\w-]+)/fault/([\w-]+)", Fault),
                (r"/([\w-]+)/([\w.-]+)", File),
            ],
            default_handler_class=Unknown,
            live=self,
            log_function=lambda handler: None,
        )
        sockets = tornado.netutil.bind_sockets(port, HOST)
        self.port = sockets[0].getsockname()[1]
        if os.environ.get("STREAMLAB_IN_CONTAINER") == "1" and own_host() != HOST:
            sockets += tornado.netutil.bind_sockets(self.port, own_host())
        http = tornado.httpserver.HTTPServer(application, max_body_size=1024, idle_connection_timeout=60)
        http.add_sockets(sockets)

    async def run(self, stopped: asyncio.Event) -> None:
        """Send a message at each step until `stopped`; then end the source. Raises what the source raises."""
        try:
            while not stopped.is_set():
                self._publish(await self._in_thread(self.source.step))
                await _wait(stopped, self.source.pace_s)
        finally:
            await self._in_thread(self.source.end)
            self._one_thread.shutdown(wait=False)

    async def inject(self, fault: str) -> str:
        """Begin a fault; return what happens, in a sentence."""
        said = await self._in_thread(self.source.inject, fault)
        self._say(said)
        return said

    @property
    def is_watched(self) -> bool:
        """Whether a browser shows the page."""
        return bool(self._listeners)

    def join(self) -> "asyncio.Queue[str]":
        """Return a queue that gets each message from now on, as text."""
        queue: asyncio.Queue[str] = asyncio.Queue(HISTORY)
        self._listeners.add(queue)
        return queue

    def leave(self, queue: "asyncio.Queue[str]") -> None:
        """Forget the queue of a page that was closed."""
        self._listeners.discard(queue)
        if not self._listeners:
            self._say("the page was closed; the system goes on, and the address stays the same")

    def _publish(self, message: Message) -> None:
        self.history.append(message)
        text = json.dumps(message, separators=(",", ":"))
        for queue in self._listeners:
            if queue.full():
                queue.get_nowait()  # of a browser that sleeps
            queue.put_nowait(text)

    async def _in_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._one_thread, call, *arguments)


async def _wait(stopped: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stopped.wait(), seconds)


class Handler(tornado.web.RequestHandler):
    """Rejects requests without the token, for another host, or from another page; errors are one line of text."""

    def set_default_headers(self) -> None:
        """Set the headers of every answer."""
        for name, value in HEADERS.items():
            self.set_header(name, value)
        self.clear_header("Server")

    def prepare(self) -> None:
        """Check host, origin and token."""
        asked, origins = (self.request.headers.get_list(name) for name in ("Host", "Origin"))
        hosts = {f"{HOST}:{self.live.port}", f"localhost:{self.live.port}"}
        if prefix_in_hub():  # its proxy passes on the hub's name, which is not known here
            hosts |= set(asked)
        if asked not in [[host] for host in hosts]:
            raise tornado.web.HTTPError(403, reason="another host")
        pages = [[f"{scheme}://{host}"] for host in hosts for scheme in ("http", "https")]
        if (origins or self.request.method == "POST") and origins not in pages:
            raise tornado.web.HTTPError(403, reason="another origin")
        is_page = self.request.headers.get("Sec-Fetch-Mode") == "navigate"  # a link elsewhere may lead here
        if not is_page and self.request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise tornado.web.HTTPError(403, reason="another site")
        token = self.path_args[0] if self.path_args else ""
        if not secrets.compare_digest(token.encode(), self.live.token.encode()):
            raise tornado.web.HTTPError(403, reason="no token")

    def write_error(self, status_code: int, **about: Any) -> None:
        """Answer with one line."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish({403: WRONG_TOKEN, 404: "not here", 405: "not that way"}.get(status_code, "this failed") + "\n")

    @property
    def live(self) -> Server:
        """The server with its source."""
        server: Server = self.settings["live"]
        return server


class Unknown(Handler):
    """Answers 404 to whoever has the token."""

    def get(self) -> None:
        """Answer that there is nothing."""
        raise tornado.web.HTTPError(404)


class Page(Handler):
    """The page, with the map drawn for wide and for narrow windows."""

    def get(self, token: str) -> None:
        """Send the page."""
        self.finish(self.live.page())


class Start(Handler):
    """What the page needs once."""

    def get(self, token: str) -> None:
        """Send one JSON object."""
        self.finish(self.live.start())


class File(Handler):
    """The page's own files, the map's style, and uPlot as far as it is here."""

    def get(self, token: str, name: str) -> None:
        """Send one file."""
        content = content_of(name)
        if content is None:
            raise tornado.web.HTTPError(404)
        self.set_header("Content-Type", f"{(FILES | uplot.FILES)[name]}; charset=utf-8")
        self.finish(content)


class Events(Handler):
    """The stream of messages."""

    async def get(self, token: str) -> None:
        """Send each message until the page is closed."""
        self.set_header("Content-Type", "text/event-stream; charset=utf-8")
        queue = self._queue = self.live.join()
        with suppress(tornado.iostream.StreamClosedError, asyncio.CancelledError):  # cancelled: the system ends
            await self.flush()
            while True:
                self.write(f"data: {await queue.get()}\n\n")
                await self.flush()

    def on_connection_close(self) -> None:
        """Forget a page that was closed."""
        self.live.leave(self._queue)


class Fault(Handler):
    """The ten buttons."""

    async def post(self, token: str, name: str) -> None:
        """Begin a fault, and say what happens."""
        if name not in FAULTS:
            raise tornado.web.HTTPError(404)
        self.finish({"said": await self.live.inject(name)})
