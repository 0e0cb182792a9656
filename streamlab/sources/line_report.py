"""The report of a `LineServer`, with numbers that must add up: offered = sent + dropped + waiting + lost."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ClientReport:
    """The report of one client, in lines since its connection."""

    address: str
    connected: bool
    offered: int
    sent: int
    dropped: int  # lines that found its buffer full
    waiting: int  # lines in its buffer now
    lost: int  # lines that were in its buffer when the connection ended


@dataclass(frozen=True)
class Report:
    """The report of the whole server. `offered`, `sent`, `dropped`, `waiting`, `lost` are sums over the clients."""

    played: int  # lines that left the source, each counted once regardless of the number of clients
    unheard: int  # played lines that left while no client was connected (policy "drop" only)
    blocked_s: float  # time during which the source was blocked
    late_s: float  # the delay of the newest line after its intended time
    playing_s: float  # from the start to the last line, or to now
    clients: tuple[ClientReport, ...]

    @property
    def offered(self) -> int:
        """Lines offered to clients."""
        return sum(client.offered for client in self.clients)

    @property
    def sent(self) -> int:
        """Lines handed to the operating system; TCP does not reveal whether a client has read them."""
        return sum(client.sent for client in self.clients)

    @property
    def dropped(self) -> int:
        """Lines that found a full buffer (policy "drop" only)."""
        return sum(client.dropped for client in self.clients)

    @property
    def waiting(self) -> int:
        """Lines in buffers now."""
        return sum(client.waiting for client in self.clients)

    @property
    def lost(self) -> int:
        """Lines that were in a buffer when its connection ended."""
        return sum(client.lost for client in self.clients)

    def __str__(self) -> str:
        counts = f"offered {self.offered}, sent {self.sent}, dropped {self.dropped}, waiting {self.waiting}"
        rest = f"lost {self.lost}, blocked {self.blocked_s:.2f} s"
        connected = sum(client.connected for client in self.clients)
        return f"{counts}, {rest}, {connected} of {len(self.clients)} clients connected"
