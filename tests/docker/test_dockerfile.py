"""The Dockerfile mounts every module of the kit that its build steps import."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOUNT = re.compile(r"--mount=type=bind,source=(?P<source>\S+),target=/tmp/kit/(?P<target>\S+)")


def test_the_program_that_prepares_the_image_finds_all_modules_that_it_imports(tmp_path: Path) -> None:
    for mount in MOUNT.finditer((ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")):
        source, target = ROOT / mount["source"], tmp_path / mount["target"]
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)

    ran = subprocess.run(
        [sys.executable, "-P", "-c", "import bake"], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True
    )

    assert (ran.returncode, ran.stderr) == (0, "")
