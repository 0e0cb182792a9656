"""A Redis client for a cache: it has a short timeout and does not retry, so a dead cache costs little time."""

from collections.abc import Callable
from typing import Any

GIVES_UP_AFTER_S = 0.1


def shared_client(address: str, gives_up_after_s: float = GIVES_UP_AFTER_S) -> Any:
    """Return a `redis.Redis` for the server at `address` (host:port); its answers are text.

    By default, redis-py retries a failed command several times, so one GET to a stopped server takes seconds.
    """
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    host, _, port = address.rpartition(":")
    return redis.Redis(
        host=host, port=int(port), decode_responses=True, retry=Retry(NoBackoff(), 0),
        socket_timeout=gives_up_after_s, socket_connect_timeout=gives_up_after_s,
    )  # fmt: skip


def before_each_trip(client: Any, act: Callable[[], object]) -> Any:
    """Make a client call `act` before each round trip, of one command or of a pipeline, and return the client.

    Example: before_each_trip(client, lambda: time.sleep(0.005)) is a client 5 ms away
    """
    execute_one, new_pipeline = client.execute_command, client.pipeline

    def after_acting(send: Callable[..., Any]) -> Callable[..., Any]:
        def sent(*arguments: Any, **options: Any) -> Any:
            act()
            return send(*arguments, **options)

        return sent

    def pipeline(*arguments: Any, **options: Any) -> Any:
        pipe = new_pipeline(*arguments, **options)
        pipe.execute = after_acting(pipe.execute)
        return pipe

    client.execute_command, client.pipeline = after_acting(execute_one), pipeline
    return client
