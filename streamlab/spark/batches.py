"""Window sizes of DStreams in whole batches, and the interval at which state is saved."""

import math
from fractions import Fraction
from typing import Any

STATE_EVERY_BATCHES = 5


def whole_batches(stream: Any, window_s: float, slide_s: float) -> tuple[Fraction, Fraction]:
    """Return window and slide in exact seconds: a DStream's windows begin and end between two batches.

    Raises ValueError unless each is a whole number of the stream's batches, at least 1. Spark itself accepts a window
    of 0 or of -1 s, and the context fails later; it rejects 32.3 s in batches of 0.1 s, since `int(32.3 * 1000)`
    is 32299. Fractions avoid both problems.
    Example: whole_batches(pairs, 0.5, 0.1), in batches of 0.1 s -> (Fraction(1, 2), Fraction(1, 10))
    """
    batch_ms = stream._jdstream.dstream().slideDuration().milliseconds()
    return _whole("window_s", window_s, batch_ms), _whole("slide_s", slide_s, batch_ms)


def _whole(name: str, seconds: float, batch_ms: int) -> Fraction:
    batches = round(seconds * 1000 / batch_ms) if math.isfinite(seconds) else 0
    if batches < 1 or abs(seconds * 1000 - batches * batch_ms) > 1e-6:
        expected = f"a whole number of batches of {batch_ms / 1000:g} s, at least one"
        raise ValueError(f"{name} must be {expected}; got {seconds:g} s")
    return Fraction(batches * batch_ms, 1000)


def save_state_often(context: Any) -> None:
    """Save windows and state every five batches, unless the query sets an interval. Call it before `context` starts.

    Spark's default is at least ten seconds, which suits batches of seconds. With batches of 0.1 s, each state would
    depend on a lineage of a hundred others, which can overflow Java's stack; after a crash, Spark would compute all of
    them again.
    """
    for stream in _streams(context._jssc.ssc().graph().getOutputStreams()):
        if stream.mustCheckpoint() and stream.checkpointDuration() is None:
            stream.checkpoint(stream.slideDuration().times(STATE_EVERY_BATCHES))


def _streams(outputs: Any) -> list[Any]:
    """Return all streams that these outputs depend on, each as often as it is used."""
    found = list(outputs)
    for stream in found:  # the list grows during the iteration
        dependencies = stream.dependencies()
        found += [dependencies.apply(at) for at in range(dependencies.size())]
    return found
