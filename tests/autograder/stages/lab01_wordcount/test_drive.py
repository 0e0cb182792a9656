"""The drives of Lab 1 on a running Spark: what they show of right work, and what they withstand of other work."""

import importlib
from pathlib import Path
from typing import Any

import pytest

import autograder.stages.lab01_wordcount.drive  # noqa: F401 (registers the drives)
from autograder.inside import DRIVES
from autograder.stages.lab01_wordcount import cases, oracle
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, load_cells

RIGHT = """
def words(line):
    raise AssertionError("a later task is driven with a stand-in for words")

def count_words(lines):
    return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(lambda one, more: one + more)

def word_counts(lines):
    return lines.transform(count_words)

def standing_counts(lines):
    from pyspark.sql import functions as F
    from pyspark.sql.types import ArrayType, StringType
    found = F.udf(words, ArrayType(StringType()))
    return lines.select(F.explode(found("value")).alias("word")).groupBy("word").count()
"""


@pytest.fixture
def stage() -> Stage:
    return stage_of(RIGHT)


def stage_of(code: str) -> Stage:
    from pyspark import cloudpickle

    cell = LabCell(kind="code", role=None, name=None, source=code, id="1")
    stage = load_cells("lab01_wordcount", [cell], module_name="stage_under_test")
    cloudpickle.register_pickle_by_value(importlib.import_module("stage_under_test"))
    return stage


def as_counts(pairs: Any) -> dict[str, int]:
    counts = {word: count for word, count in pairs}
    assert len(counts) == len(pairs)
    return counts


def test_batch_counts_come_for_every_number_of_partitions(spark: Any, stage: Stage) -> None:
    case = cases.texts("test")[0]

    rows = DRIVES["count_words"](stage=stage, spark=spark, case=case)

    assert [run["partitions"] for run in rows["runs"]] == case["partitions"]
    assert all(as_counts(run["counts"]) == oracle.counts(case["lines"]) for run in rows["runs"])
    assert all(run["jobs_when_called"] == 0 for run in rows["runs"])


def test_job_that_runs_while_count_words_is_called_is_counted(spark: Any) -> None:
    stage = stage_of("def count_words(lines): return lines.context.parallelize(lines.countByValue().items())")

    rows = DRIVES["count_words"](stage=stage, spark=spark, case={"lines": ["a"], "partitions": [1]})

    assert rows["runs"][0]["jobs_when_called"] == 1


def test_result_that_is_no_rdd_is_named(spark: Any) -> None:
    stage = stage_of("def count_words(lines): return lines.collect()")

    rows = DRIVES["count_words"](stage=stage, spark=spark, case={"lines": ["a"], "partitions": [1]})

    assert rows["runs"][0]["returned"] == "<list>"


def test_race_reads_the_file_that_it_is_given(spark: Any, stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "a turn.txt"
    path.write_text("b a\nb\n")

    rows = DRIVES["count_words.throughput"](stage=stage, spark=spark, case={"path": str(path)})

    assert as_counts(rows["counts"]) == {"a": 1, "b": 2}


def test_batches_of_a_queue_come_one_by_one(spark: Any, stage: Stage) -> None:
    rows = DRIVES["word_counts"](stage=stage, spark=spark, case={"batches": [["a a"], [], ["b"]]})

    assert rows == {"batches": [[["a", 2]], [], [["b", 1]]]}


def test_lines_of_a_socket_are_counted_in_more_than_one_batch(spark: Any, stage: Stage) -> None:
    rows = DRIVES["word_counts"](stage=stage, spark=spark, case={"parts": [["a b"], ["a"]]})

    assert sorted(rows["counts"]) == [["a", 1], ["a", 1], ["b", 1]]


def test_error_in_a_batch_is_raised_with_its_cause(spark: Any) -> None:
    stage = stage_of("def word_counts(lines): return lines.map(lambda line: 1 // 0)")

    with pytest.raises(Exception, match="ZeroDivisionError"):
        DRIVES["word_counts"](stage=stage, spark=spark, case={"batches": [["a"]]})


def test_dstream_that_keeps_state_is_told_from_an_error(spark: Any) -> None:
    forget_checkpoints(spark)
    code = "def word_counts(lines): return lines.map(lambda x: (x, 1)).updateStateByKey(lambda new, old: len(new))"

    rows = DRIVES["word_counts"](stage=stage_of(code), spark=spark, case={"batches": [["a"]]})

    assert rows == {"keeps_state": True}


def forget_checkpoints(spark: Any) -> None:
    """As in a new session: a checkpoint directory that another test has set would do for every stream."""
    scala = spark.sparkContext._jvm.scala.Option
    getattr(spark.sparkContext._jsc.sc(), "checkpointDir_$eq")(scala.empty())


def test_table_is_read_after_each_file(spark: Any, stage: Stage, tmp_path: Path) -> None:
    rows = DRIVES["standing_counts"](
        stage=stage, spark=spark, case={"files": [["a"], ["A.", "", "b"]]}, scratch=tmp_path
    )

    assert rows["columns"] == ["word", "count"]
    assert [as_counts(table) for table in rows["tables"]] == [{"a": 1}, {"a": 2, "b": 1}]


def test_stand_ins_leave_the_learners_own_functions_in_place(spark: Any, stage: Stage) -> None:
    own = stage.words

    DRIVES["count_words"](stage=stage, spark=spark, case={"lines": ["a"], "partitions": [1]})

    assert stage.words is own


def test_refusal_is_told_from_an_answer() -> None:
    stage = stage_of("def local_master(receivers, workers): raise ValueError('no')")

    assert DRIVES["local_master"](stage=stage, case={"receivers": 1, "workers": 1}) == {"rejected": "no"}
