"""A service that runs elsewhere: `STREAMLAB_KAFKA=host:port` names it, as in the docker environment."""

import os
import socket
from dataclasses import dataclass
from typing import Literal

from streamlab.services.process import ServiceError

ANSWER_LIMIT_S = 2.0


@dataclass(frozen=True)
class ExternalService:
    """A server at `host`:`port`; the kit uses it, but neither starts nor stops it."""

    name: str
    host: str
    port: int

    @property
    def address(self) -> str:
        """The address for clients.

        Example: ExternalService("kafka", "kafka", 9092).address -> "kafka:9092"
        """
        return f"{self.host}:{self.port}"

    def state(self) -> Literal["running", "silent"]:
        """Return "running" if a server accepts connections there."""
        try:
            socket.create_connection((self.host, self.port), ANSWER_LIMIT_S).close()
        except OSError:
            return "silent"
        return "running"


def external_service(name: str) -> ExternalService | None:
    """Return the service that `STREAMLAB_NAME` names, or None if it is not set; raises ServiceError for an invalid one.

    Example: with STREAMLAB_KAFKA=kafka:9092, external_service("kafka") -> ExternalService("kafka", "kafka", 9092)
    """
    variable = f"STREAMLAB_{name.upper()}"
    if not (named := os.environ.get(variable)):
        return None
    host, _, port = named.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ServiceError(f"{variable} must be host:port, for example kafka:9092; got {named!r}")
    return ExternalService(name, host, int(port))
