"""The optional secret that the master, workers and sessions of a cluster share.

`STREAMLAB_CLUSTER_SECRET_FILE` names a file with it, on each machine. Spark then rejects every connection without it.
The secret does not encrypt the connections. See https://spark.apache.org/docs/4.0.1/security.html, "Spark RPC".
"""

import os
import secrets
from pathlib import Path

from streamlab.spark.jvm import SparkDidNotStart

FILE = "STREAMLAB_CLUSTER_SECRET_FILE"
MIN_CHARACTERS = 32


def is_used() -> bool:
    """Return whether the environment names a file."""
    return bool(os.environ.get(FILE))


def make() -> None:
    """Write a new secret into the file, readable by its owner only; keep an existing one."""
    if not is_used():
        return
    path = Path(os.environ[FILE])
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_hex(32) + "\n")
    try:
        os.link(fresh, path)  # atomic: the file never appears half-written
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


def java_options() -> list[str]:
    """Return Java options for a master or a worker."""
    return [f"-D{name}={value}" for name, value in _switches().items()]


def environment() -> dict[str, str]:
    """Return variables for a master or a worker, whose executors inherit them; no command line shows the secret."""
    return {"_SPARK_AUTH_SECRET": _secret()} if is_used() else {}


def settings() -> dict[str, str]:
    """Return Spark settings for a session."""
    return {**_switches(), "spark.authenticate.secret": _secret()} if is_used() else {}


def _switches() -> dict[str, str]:
    return {"spark.authenticate": "true"} if is_used() else {}


def _secret() -> str:
    path = Path(os.environ[FILE])
    try:
        found = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as problem:
        raise SparkDidNotStart(f"no secret of the cluster in {path} ({problem}): {_ADVICE}") from None
    if len(found) < MIN_CHARACTERS:
        short = f"expected {MIN_CHARACTERS} characters or more in {path}, got {len(found)}"
        raise SparkDidNotStart(f"{short}: {_ADVICE}")
    return found


_ADVICE = f"the master makes the file that {FILE} names; copy it to the workers and to this machine"
