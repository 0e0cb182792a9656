"""Seeded log lines of three services (logins, a web server, a database), each with the label a person would give it.

All lines are synthetic. The models in datasets/lab06_enrichment/log_models were trained on such lines.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

LABELS = ("normal", "suspicious", "error")
USERS = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy")
PATHS = ("/", "/login", "/cart", "/api/orders", "/api/items", "/static/app.js", "/health", "/search")
FORMS: dict[str, dict[str, Sequence[str]]] = {
    "auth": {
        "normal": (
            "Accepted publickey for {user} from {ip} port {port}",
            "session opened for user {user}",
            "session closed for user {user}",
            "{user} changed the password",
        ),
        "suspicious": (
            "Failed password for {user} from {ip} port {port}",
            "Failed password for invalid user {user} from {ip}",
            "Invalid user {user} from {ip} port {port}",
            "maximum authentication attempts exceeded for {user} from {ip}",
        ),
        "error": (
            "could not load host key {path}",
            "fatal: no matching host key type found, {ip}",
            "error: connection reset by {ip} port {port}",
            "PAM unable to open module {path}",
        ),
    },
    "web": {
        "normal": (
            "GET {path} 200 {number} bytes in {number} ms",
            "POST {path} 201 {number} bytes in {number} ms",
            "GET {path} 304 0 bytes in {number} ms",
            "health check passed in {number} ms",
        ),
        "suspicious": (
            "GET {path}?q=' OR 1=1 -- 400",
            "GET /../../etc/passwd 403 from {ip}",
            "{number} requests in one second from {ip}, rate limit",
            "POST {path} with script tag rejected from {ip}",
        ),
        "error": (
            "GET {path} 500 unhandled exception",
            "upstream {ip}:{port} timed out after {number} ms",
            "POST {path} 503 no backend available",
            "worker {number} died, out of memory",
        ),
    },
    "db": {
        "normal": (
            "checkpoint complete: wrote {number} buffers",
            "connection received: host {ip} port {port}",
            "automatic vacuum of table orders: {number} pages",
            "duration: {number} ms statement: select",
        ),
        "suspicious": (
            "password authentication failed for user {user}",
            "permission denied for table orders as {user}",
            "statement drop table orders by {user} refused",
            "{number} failed logins from {ip}",
        ),
        "error": (
            "deadlock detected, process {number} waits",
            "could not write block {number}: no space left on device",
            "could not fsync file {path}: input/output error",
            "terminating connection, server crash of another process {number}",
        ),
    },
}
SERVICES = tuple(FORMS)


class LogLine(NamedTuple):
    """One line of a service's log, and its label (one of LABELS)."""

    service: str
    content: str
    label: str


def log_lines(seed: str, count: int, shares: Sequence[float] = (0.80, 0.08, 0.12)) -> list[LogLine]:
    """Return `count` lines; `shares` holds the share of each of LABELS. Equal arguments give equal lines.

    Example: log_lines("demo", 1)[0].service -> "auth", "web" or "db"
    """
    rng = Random(seed)
    return [_line(rng, rng.choice(SERVICES), rng.choices(LABELS, shares)[0]) for _ in range(count)]


def _line(rng: Random, service: str, label: str) -> LogLine:
    content = rng.choice(FORMS[service][label]).format(
        user=rng.choice(USERS),
        ip=".".join(str(rng.randrange(1, 255)) for _ in range(4)),
        port=rng.randrange(1024, 65536),
        path=rng.choice(PATHS),
        number=rng.randrange(1, 5000),
    )
    return LogLine(service, content, label)
