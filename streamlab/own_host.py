"""The host name of this machine's servers: the loopback, or the name in `STREAMLAB_HOST`.

A cluster's workers connect to the sources and servers of a notebook from other machines; in the docker environment,
each container is such a machine.
"""

import os

LOOPBACK = "127.0.0.1"


def own_host() -> str:
    """Return the name or address to listen on and to advertise.

    Example: own_host() -> "127.0.0.1"; with STREAMLAB_HOST=lab -> "lab"
    """
    return os.environ.get("STREAMLAB_HOST") or LOOPBACK
