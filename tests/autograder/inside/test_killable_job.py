"""A job that a drive kills was really running, is really gone, and says why where it ended by itself."""

import os
import time
from pathlib import Path

import pytest

from autograder.inside.killable_job import JobFailed, JobToKill

PATIENCE_S = 60.0


def beats(folder: str) -> None:
    """Writes its process id, and runs on."""
    import os
    import threading
    from pathlib import Path

    Path(folder, "partial").write_text(str(os.getpid()))
    os.replace(Path(folder, "partial"), Path(folder, "beat"))
    threading.Event().wait()


def fails(folder: str) -> None:
    raise RuntimeError(f"{folder} is not mine")


def ends(folder: str) -> None:
    pass


def wait_for(path: Path, job: JobToKill) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert time.monotonic() < deadline, "the job never came so far"
        job.pause()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_job_runs_in_a_process_of_its_own_and_is_gone_when_the_block_ends(tmp_path: Path) -> None:
    with JobToKill(beats, str(tmp_path), folder=tmp_path, spark=False) as job:
        wait_for(tmp_path / "beat", job)
        pid = int((tmp_path / "beat").read_text())
        assert pid != os.getpid()
        assert is_alive(pid)

    assert not is_alive(pid)


def test_a_job_with_spark_loses_its_java_too(tmp_path: Path) -> None:
    with JobToKill(beats, str(tmp_path), folder=tmp_path) as job:
        wait_for(tmp_path / "beat", job)
        java = int((tmp_path / "java.pid").read_text())
        assert is_alive(java)

    deadline = time.monotonic() + PATIENCE_S
    while is_alive(java):  # killed, and ending
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(("job", "why"), [(fails, "is not mine"), (ends, "the job ended")])
def test_a_job_that_ends_by_itself_says_why(tmp_path: Path, job: object, why: str) -> None:
    with JobToKill(job, str(tmp_path), folder=tmp_path, spark=False) as ended, pytest.raises(JobFailed, match=why):
        wait_for(tmp_path / "never", ended)
