"""A Maven repository of one module on this machine, for tests of fetching: real Ivy, real HTTP, no network."""

import hashlib
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>thing</artifactId><version>1.0</version></project>
"""


class Quiet(SimpleHTTPRequestHandler):
    """Prints nothing."""

    def log_message(self, *_: object) -> None:
        pass


def fill(folder: Path, jar: bytes = b"PK\x05\x06" + bytes(18)) -> str:
    """Put the module org.example:thing:1.0 into a repository; returns the jar's sha256."""
    place = folder / "org" / "example" / "thing" / "1.0"
    place.mkdir(parents=True)
    for name, content in {"thing-1.0.pom": POM.encode(), "thing-1.0.jar": jar}.items():
        (place / name).write_bytes(content)
        (place / f"{name}.sha1").write_text(hashlib.sha1(content).hexdigest())
    return hashlib.sha256(jar).hexdigest()


def refusing(code: int) -> type[Quiet]:
    """A server that answers everything with an error, as a repository and as a proxy."""

    class Refusing(Quiet):
        def do_GET(self) -> None:
            self.send_error(code)

        do_HEAD = do_CONNECT = do_GET

    return Refusing


@contextmanager
def served(folder: Path, certificate: Path | None = None, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """Serve a repository; gives its address. As a proxy it serves what lies below `folder`/http:/HOST."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()
