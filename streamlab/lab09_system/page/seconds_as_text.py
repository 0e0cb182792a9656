"""Shows two minutes of a system as lines of text, at most 79 characters wide, with a burst and what it does."""

from collections.abc import Iterator

from streamlab.lab09_system.page.message import FAULTS, Message, Source
from streamlab.lab09_system.page.recording import BEFORE_S, RecordedSource

FAULT = "burst"
ROWS, ROW_S = 24, 5
BAR_RECORDS, BAR_CHARS = 12_000, 10
HEAD = f"second  offered/s  done/s      lag  {f'█ = {BAR_RECORDS:,}':<{BAR_CHARS}}  instances  p99 s"


def seconds_as_text(source: Source) -> Iterator[str]:
    """Yield the head of the columns, then a line for every `ROW_S` seconds, for which the source steps.

    If the learner's tasks get recorded input, the last lines say how they answered.
    """
    yield HEAD
    if is_recorded := isinstance(source, RecordedSource):
        source.inject(FAULT)  # goes to BEFORE_S seconds before it
    for from_s in range(0, ROWS * ROW_S, ROW_S):
        begins = from_s == BEFORE_S
        if begins and not is_recorded:
            source.inject(FAULT)
        *_, message = (source.step() for _ in range(ROW_S))
        yield f"{_numbers(message)}  {FAULTS[FAULT] if begins else _remark(message)}".rstrip()
    if isinstance(source, RecordedSource):
        compared = source.comparison()
        yield from (f"{task}: {text}" for task, text in compared["tasks"].items())
        yield from compared["differences"]


def _numbers(message: Message) -> str:
    lag, p99_ms = sum(message["lags"]), message["p99_ms"]
    bar = "█" * min(BAR_CHARS, -(-lag // BAR_RECORDS))
    flow = f"{message['at_s']:>6}  {message['offered']:>9,}  {message['done']:>6,}  {lag:>7,}  {bar:<{BAR_CHARS}}"
    return f"{flow}  {len(message['instances']):>9}  {'-' if p99_ms is None else p99_ms / 1000:>5}"


def _remark(message: Message) -> str:
    """Return what works no longer, or whether an alarm of the service levels is on."""
    return f"down: {', '.join(message['down'])}" if message["down"] else "alarm" if any(message["pages"]) else ""
