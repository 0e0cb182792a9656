"""Where what this machine serves is reached: on the loopback only, or by the name in `STREAMLAB_HOST`.

A cluster's workers connect to the sources and servers of a notebook from other machines, and in the docker environment
each container is one. Keeps out: ports (streamlab.services.ports).
"""

import os

LOOPBACK = "127.0.0.1"


def own_host() -> str:
    """The name or address to listen on and to tell others.

    Example: own_host() -> "127.0.0.1"; with STREAMLAB_HOST=lab -> "lab"
    """
    return os.environ.get("STREAMLAB_HOST") or LOOPBACK
