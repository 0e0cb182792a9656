"""A job in another process runs, is gone after a kill, and reports the reason if it ends by itself."""

import os
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

from streamlab.sources.whole_files import write_whole
from streamlab.spark.killable_job import JobEnded, KillableJob


def beats(folder: str, spark: object) -> None:
    """Write the process id once the session runs, and keep running."""
    Path(folder, "rows").write_text(str(spark.range(3).count()))  # type: ignore[attr-defined]
    write_whole(Path(folder, "beat"), str(os.getpid()))
    threading.Event().wait()


def sleeps(folder: str) -> None:
    write_whole(Path(folder, "beat"), str(os.getpid()))
    threading.Event().wait()


def fails(folder: str) -> None:
    raise RuntimeError(f"{folder} is not mine")


def ends(folder: str) -> None:
    pass


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("spark", [True, False])
@pytest.mark.parametrize(("job", "reason"), [(fails, "is not mine"), (ends, "ended by itself")])
def test_a_job_that_ends_by_itself_reports_the_reason(tmp_path: Path, job: Any, reason: str, spark: bool) -> None:
    with KillableJob(job, str(tmp_path), folder=tmp_path, spark=spark) as ended, pytest.raises(JobEnded, match=reason):
        ended.wait_until(lambda: False)


def test_waiting_for_a_job_fails_at_the_deadline(tmp_path: Path) -> None:
    with KillableJob(ends, str(tmp_path), folder=tmp_path) as job, pytest.raises(TimeoutError, match="within 0 s"):
        job.wait_until(lambda: False, patience_s=0)


def test_a_pause_returns_while_the_job_runs_and_raises_after_it_was_killed(students_folder: Path) -> None:
    # the job imports none of the files in this folder
    with KillableJob(sleeps, str(students_folder), folder=students_folder, spark=False) as job:
        while not (students_folder / "beat").exists():
            job.pause()
        assert not (students_folder / "java.pid").exists()
        assert psutil.pid_exists(pid := int((students_folder / "beat").read_text()))
        job.kill()
        assert not psutil.pid_exists(pid)
        with pytest.raises(JobEnded, match="ended by itself"):
            job.pause()
