"""Runs a program on a small disk: a tmpfs in its own mount namespace."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def run_on_a_small_disk(program: str, folder: Path, size: str, timeout_s: float) -> "subprocess.CompletedProcess[str]":
    """Run Python code in `folder`, whose folder `disk` holds at most `size` ("256k", "2m").

    Outside CI, skip the test if no tmpfs can be mounted.
    """
    (folder / "disk").mkdir()
    as_user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    if not os.environ.get("CI") and (reason := _cannot_mount(as_user)):
        pytest.skip(f"no tmpfs can be mounted here: {reason}")
    shell = f'mount -t tmpfs -o size={size} tmpfs disk && exec "{sys.executable}" -c "$PROGRAM"'
    command = ["unshare", "--mount", *as_user, "/bin/sh", "-c", shell]
    environment = os.environ | {"PROGRAM": program, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout_s)


def _cannot_mount(as_user: list[str]) -> str | None:
    if not shutil.which("unshare"):
        return "unshare is not installed"
    trial = subprocess.run(
        ["unshare", "--mount", *as_user, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, text=True
    )
    return trial.stderr.strip() or None
