"""The live view: one frame from plain rows, a whole run in a terminal, and its outputs in a notebook."""

from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

from streamlab.lab01_wordcount.live_panel import Frame, draw_frame, frame_text, live_view, most_frequent
from streamlab.sources.line_server import LineServer
from streamlab.spark import streaming
from streamlab.views.metrics import Batch
from tests.streamlab.notebook_run import THREE_BATCHES, outputs_of

ONE_BATCH = Frame([("to", 2), ("be", 1)], [Batch(1000, 40, 5, 100)], batch_s=2.0)

NOTEBOOK = f"""
{THREE_BATCHES}
from streamlab.lab01_wordcount.live_panel import LiveView
view = LiveView(metrics, batch_s=1.0, seconds=100.0)
remember = lambda number: view.remember([("word", number)])
view.run()
assert view.frames == 3
None
"""


def test_a_frame_shows_rate_time_and_words() -> None:
    assert frame_text(ONE_BATCH).splitlines() == [
        "batch 1: 40 lines (20 lines/s), processed in 100 ms after 5 ms of waiting; keeps up (a batch every 2000 ms)",
        "",
        "words of the last batch with any:",
        "word  count",
        "────  ─────",
        "to        2",
        "be        1",
    ]


@pytest.mark.parametrize(
    ("batch", "status"),
    [
        (Batch(1000, 40, 0, 1000), "keeps up"),
        (Batch(1000, 40, 0, 1001), "falls behind"),
        (Batch(1000, 40, 5000, 10), "falls behind"),  # a short batch, but after a queue
        (Batch(1000, 40, 0, 10, failure="ValueError: no"), "failed: ValueError: no"),
    ],
)
def test_a_frame_shows_whether_the_query_keeps_up(batch: Batch, status: str) -> None:
    assert status in frame_text(Frame([], [batch], batch_s=1.0))


def test_a_frame_before_the_first_batch_shows_a_message() -> None:
    assert frame_text(Frame()) == "no batch has ended yet"


@pytest.mark.parametrize("batches", [0, 1, 59, 200])
def test_a_frame_is_drawn_with_its_text_as_alt_text(batches: int) -> None:
    frame = Frame([("the", 12)], [Batch(1000 * i, 10 * i, 0, i) for i in range(batches)])
    picture = draw_frame(frame)

    assert ElementTree.fromstring(picture.svg).get("role") == "img"
    assert picture.alt == frame_text(frame)


def test_the_most_frequent_words_come_first_with_ties_in_alphabetical_order(spark: Any) -> None:
    counts = spark.sparkContext.parallelize([("b", 1), ("c", 3), ("a", 1), ("d", 1)], 3)

    assert most_frequent(counts, top=3) == [("c", 3), ("a", 1), ("b", 1)]
    assert most_frequent(spark.sparkContext.emptyRDD(), top=3) == []


def test_a_terminal_shows_each_batch_and_counts_its_words(spark: Any, capfd: pytest.CaptureFixture[str]) -> None:
    with LineServer(["to be or not to be"] * 400, rate_per_s=400) as server, streaming(spark, 0.4) as ssc:
        words = ssc.socketTextStream(server.host, server.port).flatMap(str.split)
        seen: Counter[str] = Counter()
        counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
        counts.foreachRDD(lambda rdd: seen.update(dict(rdd.collect())))
        view = live_view(counts, ssc, seconds=6)
        ssc.start()
        last = view.run()
    out, err = capfd.readouterr()

    assert view.frames >= 2
    assert len(last.batches) >= view.frames
    assert [word for word, _ in last.words] == ["be", "to", "not", "or"]
    assert out.startswith("no batch has ended yet\n")
    assert out.count("words of the last batch with any:") == view.frames
    assert out.endswith(frame_text(last) + "\n\n")
    assert err == ""
    assert set(seen) == {"to", "be", "or", "not"}


def test_a_notebook_keeps_one_text_and_one_picture_of_the_last_state() -> None:
    outputs = outputs_of(NOTEBOOK)

    assert [output.output_type for output in outputs] == ["display_data"] * 2
    assert all(output.data["text/plain"].startswith("batch 3: 20 lines") for output in outputs)
    assert outputs[1].data["text/html"].startswith('<img alt="batch 3: 20 lines')


@pytest.mark.parametrize("arguments", [{"seconds": 0}, {"top": 0}])
def test_a_view_with_an_invalid_argument_is_rejected(arguments: dict[str, Any]) -> None:
    nothing: Any = None
    with pytest.raises(ValueError, match="must be positive and top at least 1"):
        live_view(nothing, nothing, **arguments)
