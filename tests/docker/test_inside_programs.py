"""The programs that docker/ci.sh runs inside the environment exist, compile and are called."""

import re
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[2] / "docker" / "ci"
PROGRAMS = sorted(path.name for path in (CI / "inside").glob("*.py"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_compiles_and_a_step_runs_it(name: str) -> None:
    compile((CI / "inside" / name).read_text(encoding="utf-8"), name, "exec")

    assert any(f"ci/inside/{name}" in path.read_text(encoding="utf-8") for path in CI.glob("*.sh"))


def test_every_program_that_a_step_runs_exists() -> None:
    called = {name for path in CI.glob("*.sh") for name in re.findall(r"ci/inside/(\w+\.py)", path.read_text("utf-8"))}

    assert called == set(PROGRAMS)
