"""ZooKeeper sessions of one case, on this process's own server, below a root that no other case has."""

import uuid
from contextlib import suppress
from typing import Any, Self

from kazoo.client import KazooClient

from autograder.inside.servers import own_server
from streamlab.cep import Registry

SESSION_S = 10.0  # no session of a case ends by itself
PATIENCE_S = 20.0
RECONNECT = {"max_tries": -1, "delay": 0.01, "max_delay": 0.2}  # kazoo's own first pause is 0.1 s


class Sessions:
    """Opens sessions, and ends all of them with the block. `look` is one that no code of a learner gets."""

    def __init__(self) -> None:
        self.root = f"/cep-{uuid.uuid4().hex[:12]}"
        self.address = own_server("zookeeper").address
        self._opened: list[KazooClient] = []
        self.look = self.open()
        self.registry = Registry(self.look, self.root)
        self.registry.prepare()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._opened:
            end(client)

    def open(self) -> KazooClient:
        """One more session."""
        client = KazooClient(hosts=self.address, timeout=SESSION_S, connection_retry=RECONNECT)
        self._opened.append(client)
        client.start(timeout=PATIENCE_S)
        return client

    def managers(self, query: str) -> Any:
        """What the placement of a query says, or None."""
        content = self.registry.read("placements", query)
        return content.get("managers") if content else None

    def placements(self) -> dict[str, Any]:
        """{query: {instance: manager}} as it is now."""
        return {query: content.get("managers") for query, content in self.registry.all("placements").items()}


def end(client: KazooClient) -> None:
    """End a session at once, with all of its ephemeral nodes."""
    with suppress(Exception):
        client.stop()
        client.close()
