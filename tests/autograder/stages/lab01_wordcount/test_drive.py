"""The drives of Lab 1 on a running Spark, where mutants and alternatives do not cover them."""

import importlib
from typing import Any

import pytest

from autograder.inside.drives import DRIVES, load_drives
from streamlab.notebooks.labfile import LabCell
from streamlab.notebooks.loader import Stage, load_cells

load_drives("lab01_wordcount")
COUNTED = "def word_counts(lines): return lines.flatMap(words).countByValue()"


def stage_of(code: str) -> Stage:
    from pyspark import cloudpickle

    cell = LabCell(kind="code", role=None, name=None, source=code, id="1")
    stage = load_cells("lab01_wordcount", [cell], module_name="stage_under_test")
    cloudpickle.register_pickle_by_value(importlib.import_module("stage_under_test"))
    return stage


@pytest.mark.slow
def test_lines_from_a_socket_are_counted_in_more_than_one_batch(spark: Any) -> None:
    rows = DRIVES["word_counts"](stage=stage_of(COUNTED), spark=spark, case={"parts": [["a b"], ["a"]]})

    assert sorted(rows["counts"]) == [["a", 1], ["a", 1], ["b", 1]]


def test_an_error_in_a_batch_is_raised_with_its_cause(spark: Any) -> None:
    stage = stage_of("def word_counts(lines): return lines.map(lambda line: 1 // 0)")

    with pytest.raises(Exception, match="ZeroDivisionError"):
        DRIVES["word_counts"](stage=stage, spark=spark, case={"batches": [["a"]]})


@pytest.mark.parametrize(
    ("task", "case", "answer"),
    [
        ("count_words", {"lines": ["a"], "partitions": [1]}, {"runs": [{"returned": "<list>"}]}),
        ("word_counts", {"batches": [["a"]]}, {"returned": "<list>"}),
        ("standing_counts", {"files": [["a"]]}, {"returned": "<list>"}),
    ],
)
def test_a_result_of_another_type_is_reported_by_its_type(
    spark: Any, tmp_path: Any, task: str, case: dict[str, Any], answer: dict[str, Any]
) -> None:
    rows = DRIVES[task](stage=stage_of(f"def {task}(lines): return []"), spark=spark, case=case, scratch=tmp_path)

    if "runs" in rows:
        rows = {"runs": [{"returned": run["returned"]} for run in rows["runs"]]}
    assert rows == answer


def test_stubs_do_not_replace_the_learners_own_functions(spark: Any) -> None:
    stage = stage_of("def words(line): raise AssertionError\ndef count_words(lines): return lines.flatMap(words)")
    own = stage.words

    rows = DRIVES["count_words"](stage=stage, spark=spark, case={"lines": ["a b"], "partitions": [1]})

    assert rows["runs"][0]["counts"] == ["a", "b"]
    assert stage.words is own
