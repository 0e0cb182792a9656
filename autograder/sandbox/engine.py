"""Docker's command line: run its commands, and report each problem in one line.

`container.py` decides which commands a sandbox needs.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache

from streamlab.services.process import start_of

ANSWER_S, WORK_S = 20.0, 120.0
JUDGE_LABEL = "streamlab.judge"  # identifies the judge that made a container: its host, pid and start time


class EngineError(RuntimeError):
    """A docker command failed; the text is the last line of its error output."""


def docker(*words: str, limit_s: float = WORK_S) -> str:
    """Run `docker WORDS` and return its standard output; raises `EngineError`."""
    try:
        done = subprocess.run(
            ["docker", *words], capture_output=True, text=True, timeout=limit_s, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise EngineError(f"docker {words[0]}: {problem}") from None
    if done.returncode:
        errors = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise EngineError(errors[-1].removeprefix("Error response from daemon: "))
    return done.stdout.strip()


def why_unavailable() -> str | None:
    """Return None if an engine answers that can limit a sandbox, otherwise one line that says what to do."""
    if shutil.which("docker") is None:
        return "docker is not installed; see https://docs.docker.com/engine/install/"
    try:
        docker("ps", "--quiet", limit_s=ANSWER_S)  # in some versions, `info` succeeds without an engine
        limits = docker("info", "--format", "{{.MemoryLimit}} {{.PidsLimit}}", limit_s=ANSWER_S)
    except EngineError as problem:
        if "permission denied" in str(problem):
            return "you may not use docker; add yourself to its group (sudo usermod -aG docker $USER) and log in again"
        return f"docker's engine does not answer ({problem}); start it"
    if limits != "true true":
        return "docker's engine cannot limit memory and processes here; its `docker info` says what the system lacks"
    return None


@cache
def label_of_this_judge() -> str:
    """Return a label that identifies this process among all that ever ran here. Example: "laptop:4711:5834512.0"."""
    return f"{os.uname().nodename}:{os.getpid()}:{start_of(os.getpid())}"


def remove_orphans() -> None:
    """Remove containers whose judge, on this machine, has died without closing them."""
    rows = docker(
        "ps", "-a", "--filter", f"label={JUDGE_LABEL}", "--format", f'{{{{.ID}}}} {{{{.Label "{JUDGE_LABEL}"}}}}'
    )
    labels = dict(row.split(" ", 1) for row in rows.splitlines())
    orphans = [container for container, judge in labels.items() if _is_dead(judge)]
    if orphans:
        docker("rm", "-f", "-v", *orphans)


def _is_dead(judge: str) -> bool:
    """Return whether the label's process is known to be gone; of another machine's processes, that is not known."""
    node, pid, began = judge.rsplit(":", 2)
    if node != os.uname().nodename:
        return False
    return str(start_of(int(pid))) != began


def as_arguments(options: Sequence[tuple[str, str]]) -> list[str]:
    """Return options as docker's arguments. Example: as_arguments([("memory", "64m")]) -> ["--memory=64m"]."""
    return [f"--{name}={value}" for name, value in options]
