"""docker's command line: asked what it has, told what to do; what is wrong comes as one line.

Keeps out: what a sandbox needs of a container (container.py).
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache

from streamlab.services.process import start_of

ANSWER_S, WORK_S = 20.0, 120.0
JUDGE_LABEL = "streamlab.judge"  # who made a container: host, pid and start of the judge


class EngineError(RuntimeError):
    """docker did not do what it was told; the text is the last line it said."""


def docker(*words: str, limit_s: float = WORK_S) -> str:
    """What `docker WORDS` says on its standard output; raises `EngineError`."""
    try:
        done = subprocess.run(
            ["docker", *words], capture_output=True, text=True, timeout=limit_s, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise EngineError(f"docker {words[0]}: {problem}") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise EngineError(said[-1].removeprefix("Error response from daemon: "))
    return done.stdout.strip()


def why_silent() -> str | None:
    """None where an engine answers that can hold a sandbox within its limits; else what to do, in one line."""
    if shutil.which("docker") is None:
        return "docker is not installed; see https://docs.docker.com/engine/install/"
    try:
        docker("ps", "--quiet", limit_s=ANSWER_S)  # `info` of some versions answers without an engine, too
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
    """Names this process among all that ever ran here. Example: "laptop:4711:5834512.0"."""
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
    """Whether the process of a label is known to be gone; one of another machine is not."""
    node, pid, began = judge.rsplit(":", 2)
    if node != os.uname().nodename:
        return False
    return str(start_of(int(pid))) != began


def words_of(options: Sequence[tuple[str, str]]) -> list[str]:
    """Options as docker takes them. Example: words_of([("memory", "64m")]) -> ["--memory=64m"]."""
    return [f"--{name}={value}" for name, value in options]
