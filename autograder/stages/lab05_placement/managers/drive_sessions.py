"""ZooKeeper sessions of one case, on this process's own server, below a root that only this case uses."""

import uuid
from contextlib import suppress
from typing import Any, Self

from kazoo.client import KazooClient

from autograder.inside.patience import at_the_latest_s
from autograder.inside.servers import own_server
from streamlab.lab05_placement.managers import Registry

SESSION_S = 10.0  # long enough that no session of a case expires on its own
PATIENCE_S = 20.0
RECONNECT = {"max_tries": -1, "delay": 0.01, "max_delay": 0.2}  # kazoo's own first pause is 0.1 s


class Sessions:
    """Opens sessions and ends all of them with the block. `observer` is a session that no learner's code gets."""

    def __init__(self) -> None:
        self.root = f"/cep-{uuid.uuid4().hex[:12]}"
        self.address = own_server("zookeeper").address
        self._opened: list[KazooClient] = []
        self.observer = self.open()
        self.registry = Registry(self.observer, self.root)
        self.registry.prepare()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._opened:
            end(client)

    def open(self) -> KazooClient:
        """Open one more session."""
        client = KazooClient(hosts=self.address, timeout=SESSION_S, connection_retry=RECONNECT)
        self._opened.append(client)
        client.start(timeout=at_the_latest_s(PATIENCE_S))
        return client

    def managers(self, query: str) -> Any:
        """Return the managers in the placement of a query, or None without a placement."""
        content = self.registry.read("placements", query)
        return content.get("managers") if content else None

    def placements(self) -> dict[str, Any]:
        """Return the current placements: {query: {instance: manager}}."""
        return {query: content.get("managers") for query, content in self.registry.all("placements").items()}


def end(client: KazooClient) -> None:
    """End a session at once, with all of its ephemeral nodes."""
    with suppress(Exception):
        client.stop()
        client.close()
