"""A program on a disk that is soon full: a tmpfs in a mount namespace of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def run_on_a_small_disk(program: str, folder: Path, size: str, timeout_s: float) -> "subprocess.CompletedProcess[str]":
    """Run Python code in `folder`, whose folder `disk` holds at most `size` ("256k", "2m").

    Skips the test where no tmpfs can be mounted; not in CI.
    """
    (folder / "disk").mkdir()
    as_user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    if not os.environ.get("CI") and (why := _cannot_mount(as_user)):
        pytest.skip(f"no tmpfs can be mounted here: {why}")
    shell = f'mount -t tmpfs -o size={size} tmpfs disk && exec "{sys.executable}" -c "$PROGRAM"'
    command = ["unshare", "--mount", *as_user, "/bin/sh", "-c", shell]
    environment = os.environ | {"PROGRAM": program, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout_s)


def _cannot_mount(as_user: list[str]) -> str | None:
    if not shutil.which("unshare"):
        return "there is no unshare"
    tried = subprocess.run(
        ["unshare", "--mount", *as_user, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, text=True
    )
    return tried.stderr.strip() or None
