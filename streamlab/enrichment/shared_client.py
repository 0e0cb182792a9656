"""A client of Redis for a cache: it gives up soon and tries once, so that a dead cache costs little."""

from typing import Any

GIVES_UP_AFTER_S = 0.1


def shared_client(address: str, gives_up_after_s: float = GIVES_UP_AFTER_S) -> Any:
    """Return a `redis.Redis` for the server at `address` (host:port), whose answers are text.

    redis-py repeats a failed command several times by default: one GET to a stopped server then takes seconds.
    """
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    host, _, port = address.rpartition(":")
    return redis.Redis(
        host=host, port=int(port), decode_responses=True, retry=Retry(NoBackoff(), 0),
        socket_timeout=gives_up_after_s, socket_connect_timeout=gives_up_after_s,
    )  # fmt: skip
