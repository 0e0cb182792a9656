"""One server as the only program of a container: `python -m streamlab.services.foreground kafka FOLDER PORT`.

This process becomes the server, which listens on `STREAMLAB_HOST`; its output goes to the container's log. A client
outside reaches Kafka at the address in `STREAMLAB_KAFKA_OUTSIDE`, which leads to `OUTSIDE_PORT`.
"""

import os
import sys
from pathlib import Path

from streamlab.java import MissingPrerequisite
from streamlab.services.catalogue import kind_of
from streamlab.services.process import ServiceError


def become(name: str, folder: Path, port: int) -> None:
    """Replace this process by the service `name`, with its data in `folder`; raises ServiceError if that fails."""
    command, environment = kind_of(name)(folder, port).in_foreground(print)
    os.chdir(folder)
    sys.stdout.flush()
    os.execve(command[0], command, environment)


def main(arguments: list[str]) -> int:
    """Run the server of the arguments `NAME FOLDER PORT`; print an error as one line."""
    if len(arguments) != 3 or not arguments[2].isdecimal():
        print("lab: expected NAME FOLDER PORT, for example kafka /data 9092", file=sys.stderr)
        return 2
    try:
        become(arguments[0], Path(arguments[1]), int(arguments[2]))
    except (ServiceError, MissingPrerequisite) as problem:
        print(f"lab: {problem}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
