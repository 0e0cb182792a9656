"""A class is judged on the workers of a real cluster as it is judged here, whatever becomes of a worker meanwhile."""

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

TRIPLE, SAME = RIGHT["triple"], "def double(n):\n    return n"


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clustered.make_kit(tmp_path_factory.mktemp("kit") / "kit", tiny.COURSE, tiny.DRIVE, tiny.CHECKS)


@pytest.fixture(scope="module")
def cluster(kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainCluster]:
    """A master and two workers of one core."""
    folder = tmp_path_factory.mktemp("cluster")
    with plain_cluster(folder, kit=kit, own={"SPARK_LOCAL_DIRS": str(folder / "local")}) as made:
        yield made


@pytest.fixture
def students(kit: Path, cluster: PlainCluster, tmp_path: Path) -> ClusteredClass:
    """A class without students, once the workers are there and free."""
    cluster.wait_for_workers(2)
    cluster.wait_until_idle()
    return ClusteredClass(kit, tmp_path / "class", cluster.environment)


def judged_twice(students: ClusteredClass, master: str, lab: str = LAB, *more: str) -> tuple[str, object, object]:
    """What was said while judging on the cluster; the results from there, and those from this machine."""
    code, said, problems = ended(students.judging(lab, *more, master=master))
    assert (code, problems) == (0, "")
    there = students.results(lab)
    code, _, problems = ended(students.judging(lab, *more))
    assert (code, problems) == (0, "")
    return said, there, students.results(lab)


def test_results_are_the_same_as_on_this_machine_whatever_was_handed_in(
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

    said, there, here = judged_twice(students, cluster.master, LAB, "--throughput")

    assert there == here  # but for the figures of the throughput check
    scores = {student: each["results"]["score"] for student, each in there.items()}
    assert scores == {"ada": 6, "ben": 2, "cleo": 2, "dora": 0, "emil": 0, "fritz": 0, "gina": 2}
    assert "a symbolic link; hand in the file itself" in str(there["fritz"])
    assert Counter(re.findall(r"^kept (\w+)", said, re.MULTILINE)) == Counter(scores.keys())


def test_notebooks_of_earlier_labs_travel_too_and_rejected_ones_say_why(
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


def test_a_killed_workers_submissions_are_judged_again_elsewhere_and_each_is_kept_once(
    students: ClusteredClass, cluster: PlainCluster
) -> None:
    names = [f"student{number}" for number in range(5)]
    for name in names:
        students.hand_in(name, SECONDS.format(s=0.5), *([TRIPLE] if name != "student3" else []))

    judging = students.judging(master=cluster.master)
    assert judging.stdout is not None
    said = [judging.stdout.readline()]
    while not said[-1].startswith("kept"):
        said.append(judging.stdout.readline())
    cluster.kill_worker()  # both are at work: the one that is done has the next submission
    code, rest, problems = ended(judging)
    there = students.results()
    cluster.start("worker")

    assert (code, problems) == (0, "")
    assert sorted(re.findall(r"^kept (\w+)", "".join(said) + rest, re.MULTILINE)) == names
    assert "problem" not in rest
    ended(students.judging())
    assert there == students.results()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_who_stops_grading_ends_the_sandboxes_on_the_workers_and_their_files(
    students: ClusteredClass, cluster: PlainCluster, sent: signal.Signals
) -> None:
    for name in ("ada", "ben", "cleo"):
        students.hand_in(name, SECONDS.format(s=50), TRIPLE)
    local = cluster.folder / "local"
    before = {*local.rglob("streamlab-*")}  # of a worker that was killed itself, in another test

    grading = students.grade(LAB, "--no-throughput", "--master", cluster.master)
    running = until_sandboxes_run(cluster, 2)
    grading.send_signal(sent)
    _, _, problems = ended(grading, 30)

    assert "Traceback" not in problems
    until_all_have_ended(running)
    wait_until(lambda: before >= {*local.rglob("streamlab-*")}, "files of submissions stay on a worker")


def test_a_submission_whose_executor_dies_each_time_is_named_and_the_others_are_graded(
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
    code, said, problems = ended(judging)

    assert (code, problems) == (0, "")
    assert "kept" not in said
    assert "problem ben: " in said
    assert "4 workers ended or failed at it" in said


def rejected(students: ClusteredClass, *arguments: str, **environment: str) -> str:
    """The one line with which grading rejects before it judges anybody."""
    students.hand_in("ada", *RIGHT.values())
    code, said, problems = ended(students.grade(LAB, "--no-throughput", *arguments, **environment))
    assert (code, said, problems.count("\n")) == (2, "", 1), problems
    assert not (students.folder / "results").exists()
    return problems


@pytest.fixture
def third_worker(cluster: PlainCluster) -> Iterator[Callable[..., None]]:
    """Start one that is not like the two others; it goes with the test."""

    def start(**how: object) -> None:
        cluster.start("worker", **how)  # type: ignore[arg-type]
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

    said = rejected(students, "--master", cluster.master)

    pattern = r"lab: worker \S+ has the kit 1 \((\w{12})\), and here it is 1 \((\w{12})\): give both the same one; see "
    found = re.match(pattern, said)
    assert found, said
    assert found[1] != found[2]


def test_a_worker_without_a_sandbox_is_rejected_by_name(
    students: ClusteredClass, cluster: PlainCluster, third_worker: Callable[..., None]
) -> None:
    third_worker(PATH="/nowhere")

    said = rejected(students, "--master", cluster.master)

    assert re.match(r"lab: worker \S+ cannot judge: bubblewrap is not installed", said)


def test_more_at_once_than_the_cluster_has_cores_is_rejected(students: ClusteredClass, cluster: PlainCluster) -> None:
    said = rejected(students, "--master", cluster.master, "--workers", "3")

    assert said == (
        f"lab: {cluster.master} has 2 of 2 cores free, and 3 are wanted: end what else runs on it, "
        "or ask for fewer --workers\n"
    )


def test_a_cluster_without_workers_is_rejected(students: ClusteredClass, tmp_path: Path) -> None:
    with plain_cluster(tmp_path, workers=0) as empty:
        said = rejected(students, "--master", empty.master, **empty.environment)

    assert said == f"lab: {empty.master} answers but has no workers: start one\n"


def test_a_master_that_does_not_answer_is_rejected(students: ClusteredClass) -> None:
    (port,) = free_ports(1)

    said = rejected(students, "--master", f"spark://127.0.0.1:{port}")

    assert said.startswith(f"lab: no Spark master answers at spark://127.0.0.1:{port} (")
    assert said.endswith("start the cluster, or grade without --master on this machine\n")


def test_a_master_without_its_page_is_asked_for_that(students: ClusteredClass, cluster: PlainCluster) -> None:
    (port,) = free_ports(1)

    said = rejected(students, "--master", cluster.master, STREAMLAB_MASTER_PAGE=f"http://127.0.0.1:{port}")

    assert f"the master's page http://127.0.0.1:{port} does not answer" in said


def test_what_is_no_cluster_is_rejected(students: ClusteredClass) -> None:
    assert rejected(students, "--master", "local[2]") == "lab: --master: expected spark://HOST:PORT, got local[2]\n"
