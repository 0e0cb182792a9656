"""Downloads a file of a Maven repository, checks its sha256, and reports a failure in one line.

The repository is Maven Central, or the one that `DEFAULT_ARTIFACT_REPOSITORY` names. Proxies come from the usual
variables (`HTTPS_PROXY`, `NO_PROXY` …), certificate authorities from the system, from `SSL_CERT_FILE`, `SSL_CERT_DIR`
and `BUNDLES`, and from certifi, since not every Python knows its system's.
"""

import errno
import hashlib
import http.client
import os
import socket
import ssl
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError

import certifi

from streamlab.java import MissingPrerequisite

REPOSITORY = "DEFAULT_ARTIFACT_REPOSITORY"
CENTRAL = "https://repo1.maven.org/maven2/"
BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT")  # OpenSSL reads SSL_CERT_FILE and SSL_CERT_DIR itself
SILENCE_LIMIT_S, TRIES, PAUSE_S, CHUNK_BYTES = 30.0, 3, 1.0, 1 << 16
INTERRUPTED = (TimeoutError, ConnectionError, http.client.HTTPException)  # a transfer that had begun: try again
BUSY = {429, 500, 502, 503, 504}  # try again after these answers, too, and after a temporary DNS failure

NEXT_STEP = {
    "disk": "make room there",
    "folder": "name another folder in STREAMLAB_CACHE",
    "certificate": "name a PEM file with your network's certificate authority in SSL_CERT_FILE",
    "proxy": "put the right user and password into HTTPS_PROXY, or fetch once on a network without the proxy",
    "checksum": f"name another mirror in {REPOSITORY}",
    "missing": f"name a mirror of all of Maven Central in {REPOSITORY}, or none",
    "rejected": f"try again later, or name a mirror in {REPOSITORY}",
    "network": f"look at the network and at HTTPS_PROXY, or name a mirror in {REPOSITORY}",
}


class FetchFailed(MissingPrerequisite):
    """A file could not be fetched; `cause` is a key of `NEXT_STEP`."""

    def __init__(self, cause: str, what: str) -> None:
        super().__init__(f"{what}; {NEXT_STEP[cause]}")
        self.cause = cause


def repository() -> str:
    """Return the address of the repository, ending with a slash."""
    return (os.environ.get(REPOSITORY) or CENTRAL).rstrip("/") + "/"


def opener() -> urllib.request.OpenerDirector:
    """Return an opener that uses the proxies and trusts the certificate authorities that the environment names."""
    context = ssl.create_default_context()
    for bundle in filter(None, {certifi.where(), *map(os.environ.get, BUNDLES)}):
        with suppress(OSError):  # an unreadable bundle does not matter if another one suffices
            context.load_verify_locations(**{"capath" if os.path.isdir(bundle) else "cafile": bundle})
    network = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context))
    network.addheaders = [("User-Agent", "streamlab")]
    return network


def download(network: urllib.request.OpenerDirector, place: str, sha256: str, file: Path) -> None:
    """Fetch `place` of the repository into `file`, which appears only when it is complete and has this sha256.

    Raises `FetchFailed`.
    """
    address, draft = repository() + place, file.with_name(f".{file.name}.part")
    try:
        got = _try_to_download(network, address, draft)
        if got != sha256:
            raise FetchFailed("checksum", f"{address} has the sha256 {got[:12]}…, and the kit expects {sha256[:12]}…")
        draft.chmod(0o644)  # a sandbox reads it as another user
        draft.replace(file)
    except (OSError, http.client.HTTPException, ValueError) as problem:
        raise fetch_error(problem, address, file.parent) from None
    finally:
        draft.unlink(missing_ok=True)


def fetch_error(problem: Exception, what: str, folder: Path) -> FetchFailed:
    """Return the error that explains to a user why `what` could not be fetched into `folder`."""
    cause, why = _cause_of(problem, folder)
    return FetchFailed(cause, f"{what} could not be fetched: {why}")


def _try_to_download(network: urllib.request.OpenerDirector, address: str, file: Path) -> str:
    """Write the content of `address` into `file`; return its sha256."""
    for left in reversed(range(TRIES)):
        try:
            with network.open(address, timeout=SILENCE_LIMIT_S) as answer, open(file, "wb") as stream:
                return _copy(answer, stream)
        except (*INTERRUPTED, URLError) as problem:
            if not left or not (isinstance(problem, INTERRUPTED) or _is_temporary(problem)):
                raise
            time.sleep(PAUSE_S)
    raise AssertionError("the last try returns or raises")


def _is_temporary(problem: URLError) -> bool:
    if isinstance(problem, HTTPError):
        return problem.code in BUSY
    return isinstance(problem.reason, socket.gaierror) and problem.reason.errno == socket.EAI_AGAIN


def _copy(answer: IO[bytes], stream: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while chunk := answer.read(CHUNK_BYTES):
        digest.update(chunk)
        stream.write(chunk)
    if missing := getattr(answer, "length", None):  # read() does not report that the connection was cut
        raise http.client.IncompleteRead(b"", missing)
    return digest.hexdigest()


def _cause_of(problem: Exception, folder: Path) -> tuple[str, str]:
    """Return the key of `NEXT_STEP`, and the reason."""
    if isinstance(problem, HTTPError):
        known = {404: "missing", 410: "missing", 407: "proxy"}
        return known.get(problem.code, "rejected"), f"the answer is {problem.code} {problem.reason}"
    reason = problem.reason if isinstance(problem, URLError) else problem
    if isinstance(reason, ssl.SSLCertVerificationError):
        return "certificate", f"the certificate is not trusted ({reason.verify_message})"
    if "Tunnel connection failed" in str(reason):
        return "proxy", f"the proxy rejects it ({reason})"
    if isinstance(reason, OSError) and reason.errno in (errno.ENOSPC, errno.EDQUOT):
        return "disk", f"the disk of {folder} is full"
    why = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    is_local = isinstance(problem, OSError) and problem.filename is not None
    return ("folder", f"{folder} cannot be written ({why})") if is_local else ("network", why)
