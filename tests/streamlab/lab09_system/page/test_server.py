"""The server answers only those who have the token, ask for this host and come from no other page; its address."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPResponse

from streamlab.lab09_system.page import uplot
from streamlab.lab09_system.page.running import Running
from streamlab.lab09_system.page.server import Server
from streamlab.views.system_map import YOURS
from tests.streamlab.lab09_system.page.conftest import Counting

DELIVER = "lab01_wordcount/deliver"
Use = Callable[[Server], Awaitable[None]]


def served(use: Use, source: Counting | None = None) -> tuple[Counting, list[str]]:
    """Run a server while `use(server)` runs; return its source, and what it said."""
    source, said = source or Counting(), list[str]()

    async def both() -> None:
        server, stopped = Server(source, {"sources": [DELIVER]}, {DELIVER: YOURS}, said.append), asyncio.Event()
        server.listen(0)
        running = asyncio.create_task(server.run(stopped))
        try:
            await asyncio.wait_for(use(server), 30)
        finally:
            stopped.set()
            await running

    asyncio.run(both())
    return source, said


async def answer(address: str, method: str = "GET", **headers: str) -> HTTPResponse:
    body = b"" if method == "POST" else None
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return await AsyncHTTPClient().fetch(address, method=method, body=body, headers=names, raise_error=False)


@pytest.mark.parametrize(
    ("path", "headers", "code"),
    [
        ("", {}, 200),
        ("start.json", {}, 200),
        ("map.css", {"Sec_Fetch_Site": "same-origin"}, 200),
        ("", {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "navigate"}, 200),  # a link in JupyterLab's terminal
        ("start.json", {"Sec_Fetch_Site": "cross-site"}, 403),
        ("start.json", {"Host": "elsewhere.example"}, 403),  # DNS rebinding
        ("start.json", {"Origin": "http://elsewhere.example"}, 403),
        ("server.py", {}, 404),
        ("..%2fserver.py", {}, 403),
        ("../x/start.json", {}, 403),
        ("../start.json", {}, 403),
    ],
)
def test_a_request_needs_token_host_and_no_other_origin(path: str, headers: dict[str, str], code: int) -> None:
    async def use(server: Server) -> None:
        got = await answer(server.address + path, **headers)

        assert got.code == code
        assert "default-src 'none'" in got.headers["Content-Security-Policy"]
        assert got.headers["Referrer-Policy"] == "no-referrer"

    served(use)


def test_in_a_hub_the_page_answers_under_the_hubs_name_to_its_own_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ada/")
    hub, own, other = "hub.example", "https://hub.example", "https://elsewhere.example"

    async def use(server: Server) -> None:
        fault, foreign = f"{server.address}fault/burst", f"http://127.0.0.1:{server.port}/{'x' * 22}/"
        posts = [(await answer(fault, "POST", Host=hub, Origin=each)).code for each in (own, other)]

        assert posts == [200, 403]
        assert (await answer(server.address, Host=hub)).code == 200
        assert (await answer(foreign, Host=hub)).code == 403

    served(use)


def test_in_a_container_the_published_port_reaches_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_IN_CONTAINER", "1")
    monkeypatch.setenv("STREAMLAB_HOST", "127.0.0.2")

    async def use(server: Server) -> None:
        published = server.address.replace("127.0.0.1", "127.0.0.2")
        outside = (await answer(published, Host=f"127.0.0.1:{server.port}")).code  # what a browser on the host sends

        assert (outside, (await answer(published)).code, (await answer(server.address)).code) == (200, 403, 200)

    served(use)


def test_outside_of_containers_only_the_loopback_reaches_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_HOST", "127.0.0.2")  # as on a cluster's machine

    async def use(server: Server) -> None:
        with pytest.raises(ConnectionRefusedError):
            await answer(server.address.replace("127.0.0.1", "127.0.0.2"))

    served(use)


def test_only_the_page_itself_injects_faults() -> None:
    async def use(server: Server) -> None:
        own, fault = f"http://127.0.0.1:{server.port}", f"{server.address}fault/burst"
        codes = [(await answer(fault, "POST", **each)).code for each in ({}, {"Origin": "null"}, {"Origin": own})]
        unknown = await answer(f"{server.address}fault/flood", "POST", Origin=own)

        assert codes == [403, 403, 200]
        assert unknown.code == 404
        assert (await answer(fault)).code == 405

    source, said = served(use)

    assert source.faults == ["burst"]
    assert said == ["burst begins"]


def test_the_stream_sends_each_second_and_a_closed_page_is_one_line() -> None:
    async def use(server: Server) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(f"GET /{server.token}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        seconds = [json.loads((await reader.readuntil(b"}\n\n")).partition(b"data: ")[2])["at_s"] for _ in range(3)]
        writer.close()
        while server.is_watched:
            await asyncio.sleep(0.01)

        assert seconds == list(range(seconds[0], seconds[0] + 3))

    source, said = served(use)

    assert said == ["the page was closed; the system goes on, and the address stays the same"]
    assert source.has_ended


def test_the_start_has_texts_owners_and_the_seconds_so_far() -> None:
    async def use(server: Server) -> None:
        while not server.history:
            await asyncio.sleep(0.01)
        start = json.loads((await answer(f"{server.address}start.json")).body)

        assert start["parts"][0] == ["Phones, tills", "deliver", 1, "yours", "simulated"]
        assert start["history"][0]["at_s"] == 1
        assert len(start["faults"]) == 10
        assert len(start["districts"]) == 12

    served(use)


def test_without_uplot_the_page_asks_for_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uplot, "content", lambda name: None)

    async def use(server: Server) -> None:
        assert b"uPlot" not in (await answer(server.address)).body

    served(use)


def test_an_error_of_the_system_ends_the_page() -> None:
    class Failing(Counting):
        def inject(self, fault: str) -> str:
            raise ValueError("no such thing")

    source = Failing()

    async def use(server: Server) -> None:
        own = f"http://127.0.0.1:{server.port}"
        assert (await answer(f"{server.address}fault/job", "POST", Origin=own)).code == 500

    served(use, source)
    assert source.has_ended


HUB = "https://hub.example"
IN_HUB = {"JUPYTERHUB_SERVICE_PREFIX": "/user/ada/"}


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({}, "http://127.0.0.1:8765/t0ken/"),
        (IN_HUB, "your hub's address, followed by /user/ada/proxy/8765/t0ken/"),
        (IN_HUB | {"JUPYTERHUB_PUBLIC_URL": f"{HUB}/user/ada/"}, f"{HUB}/user/ada/proxy/8765/t0ken/"),
    ],
)
def test_in_a_hub_the_page_is_below_the_path_of_its_users_server(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], place: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert Running(1, 0.0, 8765, "t0ken").place == place
