"""Provides the verb `doctor`: it checks this machine, a line for each prerequisite, with how to get a missing one."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from autograder.cli.context import ROOT, print_columns
from autograder.course import CourseError, load_course
from autograder.course.class_place import class_folder
from autograder.course.lab_packages import missing_packages, users_of_locks
from autograder.judge.submission_checks import load_agreed_stage
from autograder.sandbox import system_calls
from autograder.sandbox.bubblewrap import why_not
from autograder.sandbox.environment import in_environments_container
from autograder.sandbox.memory_group import parent_of_groups
from autograder.sandbox.memory_left import memory_left
from autograder.sandbox.memory_limit import how_memory_is_limited

MEMORY_WANTED_MB = 3000
DISK_WANTED_MB = 2000
WORKERS_JUDGE = "STREAMLAB_WORKERS_JUDGE"  # "1" if docker/compose.grading.yml is used as well


@dataclass(frozen=True)
class Finding:
    """One line: `state` is ok, note or missing."""

    state: str
    what: str
    text: str


@click.command()
def doctor() -> None:
    """Show what works on this machine and how to get what is missing."""
    findings = [probe() for probe in PROBES] + _privacy() + _containers() + _cluster() + _packages() + _services()
    print_columns((each.state, each.what, each.text) for each in findings)
    missing = [each for each in findings if each.state == "missing"]
    click.echo("this machine has everything that the labs need" if not missing else f"{len(missing)} missing")
    sys.exit(2 if missing else 0)


def _python() -> Finding:
    return Finding("ok", "python", f"{sys.version.split()[0]} in {sys.prefix}")


def _java() -> Finding:
    from streamlab.java.finder import FOR_OTHER_JAVAS, JavaNotFound, find_java

    try:
        found = find_java()
    except JavaNotFound as problem:
        return Finding("missing", "java", str(problem))
    where = f"Java {found.version} in {found.home}"
    if ignored := [name for name in FOR_OTHER_JAVAS if os.environ.get(name)]:
        return Finding("note", "java", f"{where}; the labs ignore {', '.join(ignored)}, set for other programs")
    return Finding("ok", "java", where)


def _spark() -> Finding:
    from streamlab.java import MissingPrerequisite
    from streamlab.java.finder import find_java
    from streamlab.spark import fast_start
    from streamlab.spark.fast_start.class_archive import prepared_folder

    try:
        folder = prepared_folder(find_java())
    except MissingPrerequisite as problem:
        return Finding("missing", "spark", str(problem))
    if not fast_start.is_on():
        return Finding("note", "spark", f"works, but starts slower than it could: {fast_start.SWITCH}=0 is set")
    if folder is None:
        fix = ".venv/bin/python -m streamlab.spark.fast_start.class_archive"
        return Finding("note", "spark", f"works, but starts slower than it could; `{fix}` fixes that")
    return Finding("ok", "spark", f"prepared in {folder}")


def _sandbox() -> Finding:
    problem = why_not()
    if problem and os.environ.get(WORKERS_JUDGE) == "1":
        text = "none here; the workers of the cluster have one: `./lab grade LAB --master $STREAMLAB_MASTER`"
        return Finding("ok", "sandbox", text)
    if problem and in_environments_container():
        return Finding("note", "sandbox", "none in a container: judges your own work only; grade a class outside")
    if problem is None:
        unfiltered = f", but {system_calls.why_no_filter()}" if system_calls.why_no_filter() else ""
        text = f"bubblewrap works: submissions are judged in isolation{unfiltered}"
        return Finding("note" if unfiltered else "ok", "sandbox", text)
    return Finding("note", "sandbox", f"{problem}; until then `--sandbox process`, for your own code only")


def _privacy() -> list[Finding]:
    """Check from inside a sandbox that it hides the kit's solutions, the class and the exchange."""
    from autograder.sandbox import bubblewrap, mounts

    if why_not() is not None:
        return []
    try:
        seen = bubblewrap.seen_inside(list(mounts.hidden_entries(mounts.private_folders(ROOT))), ROOT)
    except (OSError, subprocess.SubprocessError) as problem:
        return [Finding("note", "privacy", f"could not be checked from inside a sandbox: {problem}")]
    if seen:
        return [Finding("missing", "privacy", f"sandboxes show {seen[0]} and {len(seen) - 1} more; move it elsewhere")]
    return [Finding("ok", "privacy", "sandboxes show nothing of solutions, class and exchange")]


def _class() -> Finding:
    """Check that the class's folder is closed to other users."""
    folder = class_folder(ROOT)
    if not folder.is_dir():
        return Finding("ok", "class", f"none yet; {folder} will be closed to other users")
    mode = stat.S_IMODE(folder.stat().st_mode)
    is_shared = mode & 0o2770 == 0o2770  # its group are the assistants
    if mode & (0o007 if is_shared else 0o077):
        return Finding("note", "class", f"{folder} is open to other users ({mode:o}): `chmod 700 {folder}` closes it")
    if _open_to_others(ROOT / "solutions"):
        return Finding(
            "note", "class", f"{folder} is closed, but other users can read {ROOT}/solutions: `chmod 700 {ROOT}`"
        )
    return Finding("ok", "class", f"{folder} is closed to other users ({mode:o})")


def _open_to_others(folder: Path, top: Path = Path("/")) -> bool:
    """Return whether other users can list a folder and traverse every folder between `top` and it."""
    is_reachable = all(each.stat().st_mode & stat.S_IXOTH for each in folder.parents if top in each.parents)
    return is_reachable and folder.is_dir() and bool(folder.stat().st_mode & stat.S_IROTH)


def _memory() -> Finding:
    free_mb = memory_left() // 1024**2
    state = "ok" if free_mb >= MEMORY_WANTED_MB else "note"
    return Finding(state, "memory", f"{free_mb:,} MB available; one judged notebook may use {MEMORY_WANTED_MB:,}")


def _memory_limit() -> Finding:
    """Check whether the kernel limits a sandbox's memory."""
    how = how_memory_is_limited()
    if parent_of_groups():
        return Finding("ok", "memory limit", how)
    return Finding("note", "memory limit", how + _advice_on_groups())


def _advice_on_groups(systemd: Path = Path("/run/systemd/system")) -> str:
    """Return how to get a control group from systemd; empty in a container, where no way exists."""
    if Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere"), "systemd/private").exists():
        return "; `systemd-run --user --scope ./lab …` gives one"
    if systemd.exists():
        return "; `systemd-run --user --scope ./lab …` gives one to a user who logged in (not with su or sudo)"
    return ""


def _disk() -> Finding:
    free_mb = shutil.disk_usage(ROOT).free // 1024**2
    state = "ok" if free_mb >= DISK_WANTED_MB else "missing"
    return Finding(state, "disk", f"{free_mb:,} MB free in {ROOT}; the labs need {DISK_WANTED_MB:,}")


def _cores() -> Finding:
    count = os.cpu_count() or 1
    note = "" if count >= 2 else "; throughput checks compare two sides in turns and need 2"
    return Finding("ok" if count >= 2 else "note", "cores", f"{count}{note}")


def _course() -> Finding:
    try:
        course = load_course(ROOT)
        for lab in course.labs:
            load_agreed_stage(lab, course)
    except CourseError as problem:
        return Finding("missing", "course", str(problem))
    return Finding(
        "ok", "course", f"{course.course} {course.release}: {len(course.labs)} labs, checks and points agree"
    )


def _labs() -> Finding:
    try:
        labs = load_course(ROOT).labs
    except CourseError as problem:
        return Finding("missing", "labs", str(problem))
    missing = [lab for lab in labs if not (ROOT / "labs" / lab / f"{lab}.ipynb").exists()]
    if missing:
        return Finding("missing", "labs", f"{', '.join(missing)} not built; `./lab build` builds them")
    return Finding("ok", "labs", "all notebooks are built")


def _jars() -> Finding:
    from streamlab.java import jars
    from streamlab.services import kafka
    from streamlab.spark import kafka_connector

    for each in (kafka.JARS, kafka_connector.JARS):
        folder = jars.folder_of(each)
        if folder is None:
            return Finding("note", "kafka jars", "not fetched yet; `./lab services up kafka` does it (50 MB, once)")
        wrong = jars.wrong_in(folder, each.expected)
        if wrong:
            return Finding("note", "kafka jars", f"{wrong} in {folder}; `./lab services up kafka` fetches them again")
    count = len(kafka.JARS.expected) + len(kafka_connector.JARS.expected)
    return Finding("ok", "kafka jars", f"{count}, checksums match, the broker's in {jars.folder_of(kafka.JARS)}")


def _containers() -> list[Finding]:
    """Check docker as a sandbox; return nothing on a machine without docker, since docker is optional."""
    from autograder.sandbox import container

    if shutil.which("docker") is None:
        return []
    problem = container.why_not(ROOT)
    if problem:
        return [Finding("note", "containers", f"{problem}; only `--sandbox container` needs it")]
    return [Finding("ok", "containers", f"image {container.image()} exists: `--sandbox container` works")]


def _cluster() -> list[Finding]:
    """Check the cluster in `STREAMLAB_MASTER`; return nothing if Spark runs on this machine."""
    from streamlab.spark import cluster, cluster_sessions, jvm

    master = os.environ.get("STREAMLAB_MASTER")
    if not master or jvm.is_local(master):
        return []
    try:
        cluster_sessions.must_answer(master)
        workers = cluster.workers_of(cluster_sessions.page_of(master))
    except (jvm.SparkDidNotStart, OSError, ValueError) as problem:
        return [Finding("missing", "cluster", str(problem))]
    if not workers.alive:
        return [Finding("missing", "cluster", f"{master} answers but has no workers: jobs would wait forever")]
    free = workers.cores_free
    text = f"{master}, {workers.alive} workers, {free} of {workers.cores} cores free"
    enough = "" if free >= 2 else "; a new session waits for 2: shut down kernels that you no longer use"
    return [Finding("note" if enough else "ok", "cluster", text + enough)]


def _packages() -> list[Finding]:
    """Check the packages that only some labs need: a line for each lock."""
    try:
        users = users_of_locks(load_course(ROOT))
        return [_lock_finding(lock, names) for lock, names in users.items()]
    except CourseError as problem:
        return [Finding("missing", "packages", str(problem))]


def _lock_finding(lock: str, users: list[str]) -> Finding:
    from streamlab.services.catalogue import KINDS

    missing, needed = missing_packages(ROOT, lock), f"needed by {', '.join(users)}"
    if not missing:
        return Finding("ok", "packages", f"those of {lock} are installed, {needed}")
    verb = f"services up {users[0]}" if users[0] in KINDS else f"start {users[0]}"
    what = f"{missing[0]} and {len(missing) - 1} more" if len(missing) > 1 else missing[0]
    return Finding("note", "packages", f"{what} of {lock} not installed, {needed}; `./lab {verb}` installs them")


def _services() -> list[Finding]:
    from streamlab.services.catalogue import KINDS

    return [_service(name) for name in KINDS]


def _service(name: str) -> Finding:
    from autograder.cli.services import summary
    from streamlab.java import MissingPrerequisite
    from streamlab.services.catalogue import kept
    from streamlab.services.external_service import external_service
    from streamlab.services.process import ServiceError

    try:
        found = external_service(name) or kept(name)
        return Finding("note" if found.state() in ("died", "silent") else "ok", name, summary(found))
    except (ServiceError, MissingPrerequisite) as problem:
        return Finding("missing", name, str(problem))


PROBES: tuple[Callable[[], Finding], ...] = (
    *(_python, _java, _spark, _sandbox, _class, _memory, _memory_limit, _disk, _cores, _course, _labs),
    _jars,
)
