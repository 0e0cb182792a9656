"""The drives of Lab 2: what they show of right work, and what they withstand of other work."""

import importlib
from pathlib import Path
from typing import Any

import pytest

import autograder.stages.lab02_windows.drive  # noqa: F401 (registers the drives)
from autograder.inside import DRIVES
from autograder.stages.lab02_windows.drive_sliding import spelled_out
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, load_cells


def stage_of(code: str) -> Stage:
    from pyspark import cloudpickle

    cell = LabCell(kind="code", role=None, name=None, source=code, id="1")
    stage = load_cells("lab02_windows", [cell], module_name="stage_under_test")
    assert not stage.errors
    cloudpickle.register_pickle_by_value(importlib.import_module("stage_under_test"))
    return stage


def rows_of(task: str, code: str, case: dict[str, Any], **more: Any) -> dict[str, Any]:
    return DRIVES[task](stage=stage_of(code), case=case, **more)


WINDOW = """
class Window:
    def __init__(self): self.values = []
    def add(self, value): self.values.append(value)
    def expire(self):
        if not self.values: raise ValueError("it is empty")
        self.values.pop(0)
"""
SUM = f"{WINDOW}\n    def result(self): return sum(self.values)\nSlidingSum = Window"
MAX = f"{WINDOW}\n    def result(self): return max(self.values)\nSlidingMax = Window"


def test_every_plus_and_minus_of_a_sum_is_counted_in_its_step() -> None:
    rows = rows_of("SlidingSum", SUM, {"steps": ["?", "+5", "+7", "?", "-", "?", "-", "-"], "kind": "int"})

    assert rows["results"] == [0, 12, 7, {"rejected": "it is empty"}]
    assert (rows["adds"], rows["subtractions"], rows["comparisons"]) == (3, 0, 0)
    assert rows["work_of_each_step"] == [0, 0, 0, 2, 0, 1, 0, 0]


def test_every_comparison_of_a_maximum_is_counted() -> None:
    rows = rows_of("SlidingMax", MAX, {"steps": [["add", 5], ["add", 7.5], ["result"]], "kind": "float"})

    assert rows["results"] == [7.5]
    assert rows["comparisons"] == 1


def test_values_of_a_maximum_have_no_minus() -> None:
    code = MAX.replace("max(self.values)", "self.values[0] - self.values[0]")

    with pytest.raises(TypeError, match="unsupported operand"):
        rows_of("SlidingMax", code, {"steps": ["+5", "?"], "kind": "int"})


def test_result_that_is_no_number_is_named() -> None:
    rows = rows_of("SlidingSum", SUM.replace("sum(self.values)", "self.values"), {"steps": ["?"], "kind": "int"})

    assert rows["results"] == [{"returned": "<list>"}]


@pytest.mark.parametrize(
    ("step", "spelled"), [("+5", ["add", 5]), ("+-3", ["add", -3]), ("-", ["expire"]), ("?", ["result"])]
)
def test_short_steps_mean_what_the_long_ones_do(step: str, spelled: list[Any]) -> None:
    assert spelled_out(step, int) == spelled
    assert spelled_out(spelled, int) == spelled


def test_turn_of_the_race_has_a_result_for_every_number(tmp_path: Path) -> None:
    path = tmp_path / "turn.txt"
    path.write_text("1\n" * 1000 + "5\n")

    results = rows_of("SlidingSum.throughput", SUM, {"path": str(path)})["results"]

    assert (len(results), results[0], results[999], results[1000]) == (1001, 1, 1000, 1004)


def test_slides_of_a_window_come_with_their_batches(spark: Any) -> None:
    code = "def windowed_counts(pairs, window_s, slide_s): return pairs.window(window_s, slide_s)"
    batches = [[["a", 1]], [["b", 2]], [], [["c", 3]], []]

    rows = rows_of("windowed_counts", code, {"batches": batches, "window_batches": 3, "slide_batches": 2}, spark=spark)

    assert [(each["at_batch"], sorted(each["counts"])) for each in rows["slides"]] == [
        (2, [["a", 1], ["b", 2]]),
        (4, [["b", 2], ["c", 3]]),
    ]


def test_window_is_refused_or_accepted_when_it_is_described(spark: Any) -> None:
    case = {"window_s": 0.25, "slide_s": 0.1, "batch_s": 0.1}

    code = "def windowed_counts(pairs, window_s, slide_s): raise ValueError(f'no {window_s}')"
    assert rows_of("windowed_counts", code, case, spark=spark) == {"rejected": "no 0.25"}
    code = "def windowed_counts(pairs, window_s, slide_s): return pairs"
    assert rows_of("windowed_counts", code, case, spark=spark) == {"accepted": True}


def test_what_is_no_stream_is_named(spark: Any) -> None:
    rows = rows_of("running_counts", "def running_counts(pairs): return {}", {"batches": [[]]}, spark=spark)

    assert rows == {"returned": "<dict>"}


def test_later_task_is_driven_with_stand_ins_for_earlier_ones(spark: Any) -> None:
    code = """
def trending(counts, k): raise AssertionError("a stand-in takes its place")
def windowed_counts(pairs, window_s, slide_s): raise AssertionError("a stand-in takes its place")
def mentions(texts, name, window_s, slide_s):
    counts = windowed_counts(texts.map(lambda text: (text, 1)), window_s, slide_s)
    return counts.repartition(1).glom().map(lambda pairs: (len(pairs), trending(pairs, 2), 0.5))
"""
    case = {"batches": [["b", "a", "c"], []], "name": "a", "window_batches": 1, "slide_batches": 1}

    rows = rows_of("mentions", code, case, spark=spark)

    assert rows == {
        "slides": [
            {"at_batch": 1, "rows": [[3, [["a", 1], ["b", 1]], 0.5]]},
            {"at_batch": 2, "rows": [[0, [], 0.5]]},
        ]
    }


EVENT_TIME = """
def event_time_counts(events, window_s, watermark_s):
    from pyspark.sql import functions as f
    if window_s <= 0: raise ValueError("window_s")
    on_time = events.withWatermark("event_time", f"{watermark_s} seconds")
    counts = on_time.groupBy(f.window("event_time", f"{window_s} seconds"), "key").count()
    return counts.select("window.start", "window.end", "key", "count")
"""


def event(at_s: float, key: str = "k") -> dict[str, Any]:
    return {"id": str(at_s), "key": key, "event_time_s": at_s}


def test_windows_have_their_last_counts_and_dropped_events_are_counted(spark: Any) -> None:
    case = {"files": [[event(101), event(130)], [event(102.5)], [event(131)]], "window_s": 10, "watermark_s": 10}

    rows = rows_of("event_time_counts", EVENT_TIME, case, spark=spark)

    assert rows["columns"] == ["start", "end", "key", "count"]
    assert rows["windows"] == [[100.0, 110.0, "k", 1], [130.0, 140.0, "k", 2]]
    assert rows["dropped"] == 1


def test_refused_window_of_event_time_is_told(spark: Any) -> None:
    case = {"files": [], "window_s": 0, "watermark_s": 10}

    assert rows_of("event_time_counts", EVENT_TIME, case, spark=spark) == {"rejected": "window_s"}


RECOVERABLE = """
import json, warnings
from pathlib import Path
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
warnings.simplefilter("ignore", FutureWarning)
from streamlab import write_whole

BATCH_S = 60
def running_counts(pairs): raise AssertionError("a stand-in takes its place")
def recoverable_counts(checkpoint_dir, input_dir):
    def save(time, totals):
        path = Path(f"{input_dir}-totals", f"totals-{round(time.timestamp() * 1000)}.json")
        write_whole(path, json.dumps(dict(totals.collect())))
    def new_context():
        context = StreamingContext(SparkContext.getOrCreate(), BATCH_S)
        lines = context.textFileStream(input_dir)
        running_counts(lines.flatMap(str.split).map(lambda word: (word, 1))).foreachRDD(save)
        return context
    return StreamingContext.getOrCreate(checkpoint_dir, new_context)
"""
FILES = [["to be"], ["or not"], ["to be"]]
TOTALS = {"to": 2, "be": 2, "or": 1, "not": 1}


@pytest.mark.parametrize("kill_after_files", [None, 1])
def test_job_that_recovers_has_the_totals_of_all_files(
    spark: Any, tmp_path: Path, kill_after_files: int | None
) -> None:
    case = {"files": FILES, "kill_after_files": kill_after_files}

    rows = rows_of("recoverable_counts", RECOVERABLE, case, spark=spark, scratch=tmp_path)

    assert rows["totals"] == TOTALS
    assert rows["restarts"] == (kill_after_files is not None)
    assert rows["files_of_totals"] > 3


def test_job_that_keeps_its_state_in_memory_loses_it(spark: Any, tmp_path: Path) -> None:
    code = RECOVERABLE.replace(
        "return StreamingContext.getOrCreate(checkpoint_dir, new_context)",
        "context = new_context(); context.checkpoint(checkpoint_dir + '-of-mine'); return context",
    )

    rows = rows_of("recoverable_counts", code, {"files": FILES, "kill_after_files": 1}, spark=spark, scratch=tmp_path)

    assert "or" not in rows["totals"] or "be" not in rows["totals"]


def test_error_in_the_job_that_is_to_be_killed_is_told_with_its_cause(spark: Any, tmp_path: Path) -> None:
    from streamlab.notebooks.causes import cause_of

    code = (
        "def recoverable_counts(checkpoint_dir, input_dir):\n    raise NotImplementedError('recoverable_counts: do it')"
    )
    with pytest.raises(RuntimeError) as on_progress:
        rows_of("recoverable_counts", code, {"files": FILES, "kill_after_files": 1}, spark=spark, scratch=tmp_path)

    cause = cause_of(on_progress.value)
    assert (cause.kind, cause.message) == ("NotImplementedError", "recoverable_counts: do it")


def test_function_that_holds_the_session_reaches_the_job_with_another_session(spark: Any, tmp_path: Path) -> None:
    code = RECOVERABLE.replace("SparkContext.getOrCreate()", "spark.sparkContext")
    stage = stage_of(code)
    case = {"files": FILES[:1], "kill_after_files": 1}
    with stage.replaced(spark=spark):
        rows = DRIVES["recoverable_counts"](stage=stage, case=case, spark=spark, scratch=tmp_path)

    assert rows["totals"] == {"to": 1, "be": 1}


def test_context_that_is_none_is_named(spark: Any, tmp_path: Path) -> None:
    code = "def recoverable_counts(checkpoint_dir, input_dir): return 1"
    case = {"files": FILES, "kill_after_files": None}

    assert rows_of("recoverable_counts", code, case, spark=spark, scratch=tmp_path) == {"returned": "<int>"}


@pytest.mark.parametrize(
    ("task", "code", "case", "rows"),
    [
        ("tweet_text", "def tweet_text(raw): return raw[::-1]", {"raw": "ab"}, {"text": "ba"}),
        ("hashtags", "def hashtags(text): return tuple(text)", {"text": "ab"}, {"tags": ["a", "b"]}),
        (
            "trending",
            "def trending(counts, k): return list(counts)[:k]",
            {"counts": [["a", 1]], "k": 1},
            {"top": [["a", 1]]},
        ),
        ("trending", "def trending(counts, k): raise ValueError('k')", {"counts": [], "k": -1}, {"rejected": "k"}),
        (
            "near",
            "from streamlab import Place\ndef near(tweet, place): return place.west < tweet['x']",
            {"tweet": {"x": 2}, "place": {"name": "p", "west": 1, "south": 0, "east": 2, "north": 2}},
            {"near": True},
        ),
    ],
)
def test_plain_functions_are_called_with_what_the_case_says(
    task: str, code: str, case: dict[str, Any], rows: dict[str, Any]
) -> None:
    assert rows_of(task, code, case) == rows
