"""Windows of DStreams in whole batches, and how often state is saved. Keeps out: what is done with them (lab 2)."""

import math
from fractions import Fraction
from typing import Any

STATE_EVERY_BATCHES = 5


def whole_batches(stream: Any, window_s: float, slide_s: float) -> tuple[Fraction, Fraction]:
    """Window and slide in seconds, exact: a DStream's windows begin and end between two batches.

    Raises ValueError for one that is no whole number of the stream's batches, at least 1. Spark itself takes a window
    of 0 or of -1 s, and the context dies of it later; it rejects 32.3 s in batches of 0.1 s, since `int(32.3 * 1000)`
    is 32299. Fractions are safe from both.
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
    """Let windows and state be saved every five batches, if the query does not say how often, before `context` starts.

    Spark's default is every ten seconds at least, which is meant for batches of seconds. With batches of a tenth, each
    state would hang on a chain of a hundred others, and Java's stack can be too small for that; after a crash, all of
    them would be computed again.
    """
    for stream in _streams(context._jssc.ssc().graph().getOutputStreams()):
        if stream.mustCheckpoint() and stream.checkpointDuration() is None:
            stream.checkpoint(stream.slideDuration().times(STATE_EVERY_BATCHES))


def _streams(outputs: Any) -> list[Any]:
    """All streams that these outputs are made from, each as often as it is used."""
    found = list(outputs)
    for stream in found:  # grows while it is read
        dependencies = stream.dependencies()
        found += [dependencies.apply(at) for at in range(dependencies.size())]
    return found
