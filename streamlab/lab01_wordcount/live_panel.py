"""A live view of a running word count: the last batch's words, the input rate, the batch times.

In a notebook, each batch replaces the output, and the last state stays; in a terminal, each batch prints a table.
The text comes first and says everything that the picture shows. The view uses no widgets, so a saved notebook shows
the last state.
"""

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from streamlab.views.metrics import Batch, BatchMetrics, batch_duration_s
from streamlab.views.plots import Picture, add_bars, add_lines, figure, picture, printable, table
from streamlab.views.screens import NotSaved, each_batch, screen

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.streaming import DStream, StreamingContext

SHOWN_BATCHES = 60


@dataclass(frozen=True)
class Frame:
    """One state of the view: the most frequent words of the last batch that had any, and all batches until then."""

    words: list[tuple[str, int]] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)
    batch_s: float = 1.0


def live_view(
    counts: "DStream[tuple[str, int]]", ssc: "StreamingContext", seconds: float = 10.0, top: int = 10
) -> "LiveView":
    """Return a view of `counts`, the (word, count) pairs of each batch, for `seconds` s.

    Create it before `ssc.start()`. The view is an output operation of the stream: without another one, it makes Spark
    compute the counts.
    Raises ValueError if seconds or top is not positive.

    Example:
        with LineServer(real_text(), rate_per_s=2000) as server, streaming(spark, 1.0) as ssc:
            view = live_view(word_counts(ssc.socketTextStream(server.host, server.port)), ssc, seconds=10)
            ssc.start()
            view.run()
    """
    if seconds <= 0 or top < 1:
        raise ValueError(f"seconds must be positive and top at least 1, got {seconds} and {top}")
    view = LiveView(BatchMetrics(ssc), batch_duration_s(ssc), seconds)
    counts.foreachRDD(lambda rdd: view.remember(most_frequent(rdd, top)))
    return view


def most_frequent(counts: "RDD[tuple[str, int]]", top: int) -> list[tuple[str, int]]:
    """Return the `top` pairs with the highest counts; equal counts are in alphabetical order."""
    by_count_then_word: Any = _by_count_then_word
    return counts.takeOrdered(top, key=by_count_then_word)


def _by_count_then_word(pair: tuple[str, int]) -> tuple[int, str]:
    return -pair[1], pair[0]


class LiveView(NotSaved):
    """Shows one frame for each completed batch; see `live_view`. `frames` counts the frames shown."""

    def __init__(self, metrics: BatchMetrics, batch_s: float, seconds: float) -> None:
        self.metrics = metrics
        self.frames = 0
        self._batch_s = batch_s
        self._seconds = seconds
        self._words: list[tuple[str, int]] = []
        self._lock = threading.Lock()

    def remember(self, words: list[tuple[str, int]]) -> None:
        """Store the words of a batch for the next frame; a batch without words keeps those of the previous batch."""
        with self._lock:
            self._words = words or self._words

    def frame(self) -> Frame:
        """Return the current state."""
        with self._lock:
            return Frame(list(self._words), self.metrics.batches, self._batch_s)

    def run(self) -> Frame:
        """Show frames until the time is up or the cell is interrupted; the last one stays, and is returned."""
        output, last = screen(), self.frame()
        with contextlib.suppress(KeyboardInterrupt):  # the stop button ends the view, not the cell's `with` block
            for number in each_batch(self.metrics, self._seconds):
                self.frames = number
                last = self.frame()
                output.show(frame_text(last), partial(draw_frame, last))
        return last


def frame_text(frame: Frame) -> str:
    """Return a frame as text: a sentence about the last batch, then the words.

    Example: frame_text(Frame()) -> "no batch has ended yet"
    """
    if not frame.batches:
        return "no batch has ended yet"
    last = frame.batches[-1]
    interval_ms = frame.batch_s * 1000
    pace = "keeps up" if last.total_delay_ms <= interval_ms else "falls behind"
    head = (
        f"batch {len(frame.batches)}: {last.records} lines ({last.records / frame.batch_s:.0f} lines/s), "
        f"processed in {last.processing_ms} ms after {last.scheduling_delay_ms} ms of waiting; "
        f"{pace} (a batch every {interval_ms:.0f} ms)"
    )
    failed = f"\nfailed: {printable(last.failure)}" if last.failure else ""
    return f"{head}{failed}\n\nwords of the last batch with any:\n{table(frame.words, ['word', 'count'])}"


def draw_frame(frame: Frame) -> Picture:
    """Return a frame as a picture: words as bars on the left, input rate and batch time as lines on the right."""
    with figure(9.0, 3.8) as drawn:
        grid = drawn.add_gridspec(2, 2, width_ratios=[1, 1.25])
        _draw_words(drawn.add_subplot(grid[:, 0]), frame.words)
        rate, delay = drawn.add_subplot(grid[0, 1]), drawn.add_subplot(grid[1, 1])
        _draw_rate(rate, frame)
        _draw_delay(delay, frame)
        return picture(drawn, alt=frame_text(frame))


def _draw_words(axes: Any, words: Sequence[tuple[str, int]]) -> None:
    add_bars(axes, words, places_shown=10)
    axes.set(title="Words of the last batch with any", xlabel="occurrences in that batch")


def _draw_rate(axes: Any, frame: Frame) -> None:
    points = [(number, batch.records / frame.batch_s) for number, batch in _numbered(frame)]
    add_lines(axes, {"input": points}, {})
    axes.set(title="Input rate (lines/s)", ylim=(0, _above([y for _, y in points])), xlim=_span(frame))
    axes.tick_params(labelbottom=False)


def _draw_delay(axes: Any, frame: Frame) -> None:
    interval_ms = frame.batch_s * 1000
    points = [(number, batch.processing_ms) for number, batch in _numbered(frame)]
    add_lines(axes, {"batch time": points}, {"batch interval": interval_ms})
    axes.set(title="Batch time (ms), dashed: the batch interval", xlabel="batch", xlim=_span(frame))
    axes.set_ylim(0, _above([interval_ms, *(y for _, y in points)]))


def _numbered(frame: Frame) -> list[tuple[int, Batch]]:
    return list(enumerate(frame.batches, start=1))[-SHOWN_BATCHES:]


def _span(frame: Frame) -> tuple[float, float]:
    """Return the limits of the x axis, in batches: at least ten, so that the first points do not jump."""
    last = max(10, len(frame.batches))
    return max(0, last - SHOWN_BATCHES) + 0.5, last + 0.5


def _above(values: Sequence[float]) -> float:
    return max([*values, 1.0]) * 1.15
