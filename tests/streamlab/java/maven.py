"""A Maven repository on this machine, for download tests: real HTTP on loopback only."""

import hashlib
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

JAR = b"PK\x05\x06" + bytes(18)


def fill(folder: Path, name: str, content: bytes = JAR) -> str:
    """Put org.example:NAME:1.0 into a repository; return its line for a list of jars."""
    place = f"org/example/{name}/1.0/{name}-1.0.jar"
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    (folder / place).write_bytes(content)
    return f"{hashlib.sha256(content).hexdigest()}  {place}\n"


class Repository(ThreadingHTTPServer):
    """Serves a folder; as a proxy, serves `folder`/http:/HOST. It first answers with the status codes in `codes`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.asked, self.codes = folder, list[str](), list[int]()
        self.cut_next = False


class Handler(SimpleHTTPRequestHandler):
    """Records the requested file names, and prints nothing."""

    def __init__(self, request: Any, address: Any, server: Repository) -> None:
        self.repository = server
        super().__init__(request, address, server, directory=str(server.folder))

    def do_GET(self) -> None:
        self.repository.asked.append(self.path.rpartition("/")[2])
        if self.repository.codes:
            self.send_error(self.repository.codes.pop())
        elif self.repository.cut_next:
            self.repository.cut_next = False
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"half")
        else:
            super().do_GET()

    do_CONNECT = do_GET

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path, certificate: Path | None = None) -> Iterator[tuple[str, Repository]]:
    with Repository(folder) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}/", server
        server.shutdown()
        thread.join()
