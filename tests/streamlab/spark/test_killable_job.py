"""A job in another process really runs, is really gone when it is killed, and says why where it ended by itself."""

import os
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

from streamlab.sources.whole_files import write_whole
from streamlab.spark.killable_job import JobEnded, KillableJob


def beats(folder: str, spark: object) -> None:
    """Write the process id once the session runs, and go on."""
    Path(folder, "rows").write_text(str(spark.range(3).count()))  # type: ignore[attr-defined]
    write_whole(Path(folder, "beat"), str(os.getpid()))
    threading.Event().wait()


def sleeps(folder: str) -> None:
    """Write the process id, and go on."""
    write_whole(Path(folder, "beat"), str(os.getpid()))
    threading.Event().wait()


def fails(folder: str) -> None:
    raise RuntimeError(f"{folder} is not mine")


def ends(folder: str) -> None:
    pass


def test_a_killed_job_and_its_java_are_gone(tmp_path: Path, spark: object) -> None:
    with KillableJob(beats, str(tmp_path), spark, folder=tmp_path) as job:
        job.wait_until(lambda: (tmp_path / "beat").exists())
        python, java = (int((tmp_path / name).read_text()) for name in ("beat", "java.pid"))
        assert job.is_alive
        assert python != os.getpid()

    assert (tmp_path / "rows").read_text() == "3"
    assert not job.is_alive
    psutil.wait_procs([psutil.Process(each) for each in (python, java) if psutil.pid_exists(each)], timeout=60)
    assert not psutil.pid_exists(python)
    assert not psutil.pid_exists(java) or psutil.Process(java).status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("spark", [True, False])
@pytest.mark.parametrize(("job", "why"), [(fails, "is not mine"), (ends, "ended by itself")])
def test_a_job_that_ends_by_itself_says_why(tmp_path: Path, job: Any, why: str, spark: bool) -> None:
    with KillableJob(job, str(tmp_path), folder=tmp_path, spark=spark) as ended, pytest.raises(JobEnded, match=why):
        ended.wait_until(lambda: False)


def test_a_job_that_does_not_come_far_enough_is_given_up(tmp_path: Path) -> None:
    with KillableJob(ends, str(tmp_path), folder=tmp_path) as job, pytest.raises(TimeoutError, match="within 0 s"):
        job.wait_until(lambda: False, patience_s=0)


def test_pauses_go_on_while_a_job_without_spark_runs_and_say_when_it_was_killed(tmp_path: Path) -> None:
    with KillableJob(sleeps, str(tmp_path), folder=tmp_path, spark=False) as job:
        while not (tmp_path / "beat").exists():
            job.pause()
        assert not (tmp_path / "java.pid").exists()
        assert psutil.pid_exists(pid := int((tmp_path / "beat").read_text()))
        job.kill()
        assert not psutil.pid_exists(pid)
        with pytest.raises(JobEnded, match="ended by itself"):
            job.pause()
