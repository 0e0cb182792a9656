"""The workers of a real cluster judge a class as this machine does, even if a worker dies."""

import re
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from streamlab.services.ports import free_ports
from tests.autograder import conftest as tiny
from tests.autograder.grading import clustered
from tests.autograder.grading.clustered import (
    LAB,
    LATER,
    RIGHT,
    SECONDS,
    ClusteredClass,
    ended,
    executor_of,
    sandboxes_of,
    until_all_have_ended,
    until_sandboxes_run,
)
from tests.streamlab.spark.plain_cluster import PlainCluster, plain_cluster, wait_until

pytestmark = pytest.mark.slow

TRIPLE, SAME = RIGHT["triple"], "def double(n):\n    return n"


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clustered.make_kit(tmp_path_factory.mktemp("kit") / "kit", tiny.COURSE, tiny.DRIVE, tiny.CHECKS)


@pytest.fixture(scope="module")
def cluster(kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainCluster]:
    """A master and two workers of one core."""
    folder = tmp_path_factory.mktemp("cluster")
    with plain_cluster(folder, kit=kit, own={"SPARK_LOCAL_DIRS": str(folder / "local")}) as started:
        yield started


@pytest.fixture
def students(kit: Path, cluster: PlainCluster, tmp_path: Path) -> ClusteredClass:
    """A class without students, when both workers are connected and idle."""
    cluster.wait_for_workers(2)
    cluster.wait_until_idle()
    return ClusteredClass(kit, tmp_path / "class", cluster.environment)


def judged_twice(students: ClusteredClass, master: str, lab: str = LAB, *more: str) -> tuple[str, object, object]:
    """Judge on the cluster, then on this machine; return the output of the cluster run and both results."""
    code, output, problems = ended(students.judging(lab, *more, master=master))
    assert (code, problems) == (0, "")
    there = students.results(lab)
    code, _, problems = ended(students.judging(lab, *more))
    assert (code, problems) == (0, "")
    return output, there, students.results(lab)


def test_results_on_the_cluster_equal_those_on_this_machine_for_every_kind_of_notebook(
    students: ClusteredClass, cluster: PlainCluster
) -> None:
    students.hand_in("ada", *RIGHT.values())
    students.hand_in("ben", SAME, TRIPLE)
    students.hand_in("cleo", "def double(n):\n    import os\n    os._exit(3)", TRIPLE)
    students.hand_in("dora", "this is no python")
    students.hand_in("emil", *RIGHT.values()).write_text("no notebook")
    path = students.hand_in("fritz", *RIGHT.values())
    path.rename(path.with_name("other.ipynb"))
    path.symlink_to("other.ipynb")
    students.hand_in("gina", "def double(n):\n    raise NotImplementedError", TRIPLE)

    output, there, here = judged_twice(students, cluster.master, LAB, "--throughput")

    assert there == here  # but for the figures of the throughput check
    scores = {student: each["results"]["score"] for student, each in there.items()}
    assert scores == {"ada": 6, "ben": 2, "cleo": 2, "dora": 0, "emil": 0, "fritz": 0, "gina": 2}
    assert "a symbolic link; hand in the file itself" in str(there["fritz"])
    assert Counter(re.findall(r"^kept (\w+)", output, re.MULTILINE)) == Counter(scores.keys())


def test_notebooks_of_earlier_labs_are_sent_too_and_rejected_ones_give_the_reason(
    students: ClusteredClass, cluster: PlainCluster
) -> None:
    for student in ("own", "wrong", "linked", "none"):
        students.hand_in(student, "def six_times(n):\n    return 6 * n", lab=LATER)
    students.hand_in("own", *RIGHT.values())
    students.hand_in("wrong", "def double(n):\n    return n", TRIPLE)
    path = students.hand_in("linked", *RIGHT.values())
    path.rename(path.with_name("other.ipynb"))
    path.symlink_to("other.ipynb")

    _, there, here = judged_twice(students, cluster.master, LATER)

    assert there == here
    assert {student: each["results"]["score"] for student, each in there.items()} == {
        "own": 3,
        "wrong": 1,
        "linked": 1,
        "none": 1,
    }
    assert "a symbolic link; hand in the file itself. The reference solution is used instead" in str(there["linked"])


def test_submissions_of_a_killed_worker_are_judged_on_another_one_and_each_is_saved_once(
    students: ClusteredClass, cluster: PlainCluster
) -> None:
    names = [f"student{number}" for number in range(5)]
    for name in names:
        students.hand_in(name, SECONDS.format(s=0.5), *([TRIPLE] if name != "student3" else []))

    judging = students.judging(master=cluster.master)
    assert judging.stdout is not None
    output = [judging.stdout.readline()]
    while not output[-1].startswith("kept"):
        output.append(judging.stdout.readline())
    cluster.kill_worker()  # both workers are busy: the one that has finished has its next submission
    code, rest, problems = ended(judging)
    there = students.results()
    cluster.start("worker")

    assert (code, problems) == (0, "")
    assert sorted(re.findall(r"^kept (\w+)", "".join(output) + rest, re.MULTILINE)) == names
    assert "problem" not in rest
    ended(students.judging())
    assert there == students.results()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_stopping_grading_ends_the_sandboxes_on_the_workers_and_deletes_their_files(
    students: ClusteredClass, cluster: PlainCluster, sent: signal.Signals
) -> None:
    for name in ("ada", "ben", "cleo"):
        students.hand_in(name, SECONDS.format(s=50), TRIPLE)
    local = cluster.folder / "local"
    before = {*local.rglob("streamlab-*")}  # left by a worker that another test killed

    grading = students.grade(LAB, "--no-throughput", "--master", cluster.master)
    running = until_sandboxes_run(cluster, 2)
    assert {*local.rglob("streamlab-*")} - before
    grading.send_signal(sent)
    _, _, problems = ended(grading, 30)

    assert "Traceback" not in problems
    until_all_have_ended(running)
    wait_until(lambda: before >= {*local.rglob("streamlab-*")}, "files of submissions stay on a worker")


def test_a_submission_whose_executor_dies_each_time_is_reported_and_the_others_are_graded(
    students: ClusteredClass, cluster: PlainCluster
) -> None:
    students.hand_in("ada", *RIGHT.values())
    students.hand_in("ben", SECONDS.format(s=50), TRIPLE)

    judging = students.judging(master=cluster.master)
    assert judging.stdout is not None
    while not judging.stdout.readline().startswith("kept ada"):
        pass
    killed: set[int] = set()
    while len(killed) < 4:
        killed.add(executor := executor_of(until_sandboxes_run(cluster, 1)[0]))
        psutil.Process(executor).kill()
        wait_until(lambda: not sandboxes_of(cluster), "a sandbox outlives its executor")
    code, output, problems = ended(judging)

    assert (code, problems) == (0, "")
    assert "kept" not in output
    assert "problem ben: " in output
    assert "4 workers ended or failed" in output


def rejected(students: ClusteredClass, *arguments: str, **environment: str) -> str:
    """Return the one line of an error that grading reports before it judges any student."""
    students.hand_in("ada", *RIGHT.values())
    code, output, problems = ended(students.grade(LAB, "--no-throughput", *arguments, **environment))
    assert (code, output, problems.count("\n")) == (2, "", 1), problems
    assert not (students.folder / "results").exists()
    return problems


@pytest.fixture
def third_worker(cluster: PlainCluster) -> Iterator[Callable[..., None]]:
    """Start a worker that differs from the two others; it ends with the test."""

    def start(**options: object) -> None:
        cluster.start("worker", **options)  # type: ignore[arg-type]
        cluster.wait_for_workers(3)

    yield start
    cluster.kill_worker()
    cluster.wait_for_workers(2)


def test_a_worker_with_another_kit_is_rejected_by_name(
    students: ClusteredClass, cluster: PlainCluster, third_worker: Callable[..., None], tmp_path: Path
) -> None:
    other = shutil.copytree(students.kit, tmp_path / "other kit")
    checks = other / "autograder/stages" / LAB / "group/checks.py"
    checks.write_text(checks.read_text().replace("2 * case", "4 * case"))
    third_worker(kit=other)

    output = rejected(students, "--master", cluster.master)

    pattern = r"lab: worker \S+ has kit 1 \((\w{12})\), expected 1 \((\w{12})\): install the same kit on both machines"
    found = re.match(pattern, output)
    assert found, output
    assert found[1] != found[2]


def test_a_worker_without_a_sandbox_is_rejected_by_name(
    students: ClusteredClass, cluster: PlainCluster, third_worker: Callable[..., None]
) -> None:
    third_worker(PATH="/nowhere")

    output = rejected(students, "--master", cluster.master)

    assert re.match(r"lab: worker \S+ cannot judge: bubblewrap is not installed", output)


def test_more_workers_than_the_cluster_has_cores_are_rejected(students: ClusteredClass, cluster: PlainCluster) -> None:
    output = rejected(students, "--master", cluster.master, "--workers", "3")

    assert output == (
        f"lab: {cluster.master} has 2 of 2 cores free, and grading needs 3: end other applications on it, "
        "or ask for fewer --workers\n"
    )


def test_a_cluster_without_workers_is_rejected(students: ClusteredClass, tmp_path: Path) -> None:
    with plain_cluster(tmp_path, workers=0) as empty:
        output = rejected(students, "--master", empty.master, **empty.environment)

    assert output == f"lab: {empty.master} answers but has no workers: start one\n"


def test_a_master_that_does_not_answer_is_rejected(students: ClusteredClass) -> None:
    (port,) = free_ports(1)

    output = rejected(students, "--master", f"spark://127.0.0.1:{port}")

    assert output.startswith(f"lab: no Spark master answers at spark://127.0.0.1:{port} (")
    assert output.endswith("start the cluster, or grade without --master on this machine\n")


def test_a_master_whose_page_does_not_answer_is_rejected_with_its_address(
    students: ClusteredClass, cluster: PlainCluster
) -> None:
    (port,) = free_ports(1)

    output = rejected(students, "--master", cluster.master, STREAMLAB_MASTER_PAGE=f"http://127.0.0.1:{port}")

    assert f"the master's page http://127.0.0.1:{port} does not answer" in output


def test_a_master_that_is_not_a_cluster_is_rejected(students: ClusteredClass) -> None:
    assert rejected(students, "--master", "local[2]") == "lab: --master: expected spark://HOST:PORT, got local[2]\n"
