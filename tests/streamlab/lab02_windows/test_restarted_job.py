"""A job is restarted on its folders, and each file counts once, even if it arrived between two runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab02_windows import restarted_job
from streamlab.lab02_windows.restarted_job import NoContext, RestartedJob, require_context


def totals_job(checkpoint_dir: str, input_dir: str) -> Any:
    """Spark's own recipe, with half-second batches."""
    import warnings

    from pyspark import SparkContext
    from pyspark.streaming import StreamingContext

    def save(time: Any, totals: Any) -> None:
        from streamlab.sources.whole_files import write_whole

        path = Path(f"{input_dir}-totals", f"totals-{round(time.timestamp() * 1000)}.json")
        write_whole(path, json.dumps(dict(totals.collect())))

    def new_context() -> Any:
        context = StreamingContext(SparkContext.getOrCreate(), 0.5)  # type: ignore[arg-type]
        words = context.textFileStream(input_dir).flatMap(lambda line: line.split())
        words.map(lambda word: (word, 1)).updateStateByKey(lambda new, total: sum(new, total or 0)).foreachRDD(save)
        return context

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return StreamingContext.getOrCreate(checkpoint_dir, new_context)


@pytest.mark.slow
def test_a_restarted_job_continues_and_finds_the_files_that_arrived_meanwhile(spark: Any, tmp_path: Path) -> None:
    job = RestartedJob(totals_job, tmp_path)

    assert job.run([["to be"], ["or"]]) == {"to": 1, "be": 1, "or": 1}
    job.arrive(["not"])
    assert job.run([["to be"]]) == {"to": 2, "be": 2, "or": 1, "not": 1}


def test_a_result_that_is_not_a_context_is_reported_with_its_type(tmp_path: Path) -> None:
    with pytest.raises(NoContext, match="expected a StreamingContext, got tuple; return the context, not started"):
        RestartedJob(lambda checkpoint, incoming: (checkpoint, incoming), tmp_path).run()


def test_missing_totals_raise_timeout_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restarted_job, "PATIENCE_S", 0.05)

    with pytest.raises(TimeoutError, match=r"expected 2 files of totals within 0\.05 s"):
        RestartedJob(totals_job, tmp_path).play([["to be"]], pause=lambda: None)


def test_the_newest_totals_are_those_of_the_latest_batch(tmp_path: Path) -> None:
    job = RestartedJob(totals_job, tmp_path)
    assert job.newest_totals() is None

    job.totals.mkdir()
    contents = {"totals-900": "{}", "totals-1000": '{"a": 1}', "totals-last": "[]", "other-2000": "0"}
    for name, content in contents.items():
        (job.totals / f"{name}.json").write_text(content)

    assert job.batches_ms() == [900, 1000]
    assert job.newest_totals() == {"a": 1}


def test_a_result_that_is_not_a_context_is_detected_without_a_run(spark: Any, tmp_path: Path) -> None:
    require_context(totals_job, tmp_path)  # a second context is possible, so the first one was stopped
    require_context(totals_job, tmp_path / "other")

    with pytest.raises(NoContext, match="expected a StreamingContext, got int"):
        require_context(lambda checkpoint, incoming: 0, tmp_path / "none")
