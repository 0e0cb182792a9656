"""A drive's server starts under the memory limit of a case, and the limit holds again afterwards."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import resource
from kazoo.client import KazooClient
from autograder.inside.servers import own_server
from autograder.inside.warm import at_most

with at_most(60.0, memory=True):
    limit = resource.getrlimit(resource.RLIMIT_AS)
    client = KazooClient(own_server("zookeeper").address)
    client.start(timeout=20)
    print(client.exists("/") is not None, resource.getrlimit(resource.RLIMIT_AS) == limit, limit[0] != limit[1])
    client.stop()
"""


def test_a_server_starts_under_the_memory_limit_of_a_case() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=120)

    assert done.stdout.split() == ["True", "True", "True"], done.stderr
