"""The Dockerfile mounts every module that its build imports; the programs that docker/ci.sh runs inside exist."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOUNT = re.compile(r"--mount=type=bind,source=(?P<source>\S+),target=/tmp/kit/(?P<target>\S+)")


def test_the_program_that_prepares_the_image_finds_all_modules_that_it_imports(tmp_path: Path) -> None:
    for mount in MOUNT.finditer((ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")):
        source, target = ROOT / mount["source"], tmp_path / mount["target"]
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    program, environment = [sys.executable, "-P", "-c", "import bake"], {"PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(program, env=environment, capture_output=True, text=True)

    assert (ran.returncode, ran.stderr) == (0, "")


CI = ROOT / "docker" / "ci"
PROGRAMS = sorted(path.name for path in (CI / "inside").glob("*.py"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_compiles_and_a_step_runs_it(name: str) -> None:
    compile((CI / "inside" / name).read_text(encoding="utf-8"), name, "exec")

    assert any(f"ci/inside/{name}" in path.read_text(encoding="utf-8") for path in CI.glob("*.sh"))


def test_every_program_that_a_step_runs_exists() -> None:
    called = {name for path in CI.glob("*.sh") for name in re.findall(r"ci/inside/(\w+\.py)", path.read_text("utf-8"))}

    assert called == set(PROGRAMS)
