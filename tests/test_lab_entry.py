"""`./lab` creates its own environment from any folder, and reports a problem in one line."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CLI = "import os, random, sys\nprint(sys.prefix, os.environ['STREAMLAB_CALLED_FROM'], *sys.argv[1:], sep='|')\n"
INSTALLATION = Path("autograder", "cli", "installation.py")
A_UV = {
    "uv-1.data/scripts/uv": '#!/bin/sh\necho "$*" >>"$UV_CALLS"\nsleep "${UV_S:-0}"\nexit "$UV_CODE"\n',
    "uv-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: uv\nVersion: 1\n",
    "uv-1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "uv-1.dist-info/RECORD": "",
}


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit with an empty lock, a uv that does nothing, and a command line that only prints its arguments.

    Its path has a space.
    """
    root = tmp_path / "my kit"
    (root / "autograder" / "cli").mkdir(parents=True)
    for package in ("autograder", "autograder/cli"):
        (root / package / "__init__.py").write_text("")
    (root / "autograder" / "cli" / "__main__.py").write_text(CLI)
    (root / "requirements.lock").write_text("# nothing\n")
    shutil.copy(ROOT / "lab", root / "lab")
    shutil.copy(ROOT / INSTALLATION, root / INSTALLATION)
    write_a_uv(root)
    return root


def write_a_uv(kit: Path) -> None:
    """Write a uv next to the kit, where pip finds it: it only logs its arguments and exits with `UV_CODE`."""
    wheel = kit.parent / "uv-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in A_UV.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o100755 << 16
            archive.writestr(entry, content)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (kit / "requirements-uv.lock").write_text(f"uv==1 --hash=sha256:{digest}\n")


def environment_in(folder: Path) -> dict[str, str]:
    """Return the environment of a user whose pip uses the packages in `folder` and no registry."""
    path = f"{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin"
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}
    return {"PATH": path, "HOME": str(folder), **pip, "UV_CALLS": str(folder / "calls"), "UV_CODE": "0"}


def run(program: Path | str, *arguments: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environment = environment_in(cwd) | more
    command = [str(program), *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120)


def test_it_runs_from_another_folder_in_a_path_with_a_space_and_through_a_link(kit: Path, tmp_path: Path) -> None:
    first = run(kit / "lab", "judge", "a file.ipynb", cwd=tmp_path)
    (tmp_path / "link").symlink_to(kit / "lab")
    linked = run(tmp_path / "link", "x", cwd=tmp_path)

    assert first.stdout.strip() == f"{kit}/.venv|{tmp_path}|judge|a file.ipynb"
    assert "installing" in first.stderr
    assert linked.stdout.strip() == f"{kit}/.venv|{tmp_path}|x"
    assert linked.stderr == ""


def test_files_in_the_callers_folder_do_not_run_as_modules(kit: Path, tmp_path: Path) -> None:
    submissions = tmp_path / "submissions"
    submissions.mkdir()
    for module in ("click", "compileall", "encodings", "ensurepip", "pip", "random", "types", "venv"):
        (submissions / f"{module}.py").write_text("raise SystemExit(__file__)\n")

    done = run(kit / "lab", "judge", cwd=submissions, PIP_FIND_LINKS=str(tmp_path))

    assert done.stdout.strip() == f"{kit}/.venv|{submissions}|judge"
    assert (done.returncode, "submissions/" in done.stderr) == (0, False)


@pytest.mark.slow
def test_an_environment_whose_python_is_gone_or_has_another_version_is_created_again(kit: Path, tmp_path: Path) -> None:
    run(kit / "lab", cwd=tmp_path)
    (kit / ".venv" / "bin" / "python3").unlink()
    gone = run(kit / "lab", cwd=tmp_path)
    library = next((kit / ".venv" / "lib").glob("python3*"))
    library.rename(library.with_name("python3.1"))
    another = run(kit / "lab", cwd=tmp_path)

    why = "lab: the Python that .venv was created with is gone or has another version; creating .venv again\n"
    assert [each.stderr.startswith(why) for each in (gone, another)] == [True, True]
    assert [each.stdout for each in (gone, another)] == 2 * [f"{kit}/.venv|{tmp_path}\n"]


def test_if_a_new_lock_cannot_be_installed_the_old_environment_stays(kit: Path, tmp_path: Path) -> None:
    old_lock = (kit / "requirements.lock").read_text()
    run(kit / "lab", cwd=tmp_path)
    (kit / "requirements.lock").write_text("no-such-package==1\n")
    failed = run(kit / "lab", cwd=tmp_path, UV_CODE="2")
    (kit / "requirements.lock").write_text(old_lock)
    old = run(kit / "lab", cwd=tmp_path)

    assert failed.returncode == 2
    assert "installing with pip" in (kit / ".venv" / "install.log").read_text()
    assert (old.stdout, old.stderr) == (f"{kit}/.venv|{tmp_path}\n", "")
    assert not (kit / ".venv.old").exists()


def test_ctrl_c_during_the_first_installation_ends_with_one_line_and_code_130(kit: Path, tmp_path: Path) -> None:
    environment = environment_in(tmp_path) | {"UV_S": "60"}
    lab = subprocess.Popen(
        [kit / "lab"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline_s = time.monotonic() + 60
    while not (tmp_path / "calls").exists() and time.monotonic() < deadline_s:
        time.sleep(0.05)
    os.killpg(lab.pid, signal.SIGINT)
    lines = lab.communicate(timeout=60)[1].splitlines()

    assert lab.returncode == 130
    assert lines[1:] == ["lab: stopped before the installation was complete; run the command again to continue"]


@pytest.mark.slow
@pytest.mark.parametrize("stamp", ["1 1\n{kit}\n", "{checksum}\n/elsewhere\n"], ids=["another lock", "another place"])
def test_it_installs_again_if_the_environment_was_made_for_another_lock_or_path(
    kit: Path, tmp_path: Path, stamp: str
) -> None:
    lock = (kit / "requirements.lock").read_bytes()
    checksum = subprocess.run(["cksum"], input=lock, capture_output=True, check=True).stdout.decode().strip()
    (kit / ".venv").mkdir()
    (kit / ".venv" / "streamlab-stamp").write_text(stamp.format(kit=kit, checksum=checksum))

    done = run(kit / "lab", cwd=tmp_path)

    assert "installing" in done.stderr
    assert done.stdout.startswith(f"{kit}/.venv|")
    assert (kit / ".venv" / "streamlab-stamp").read_text() == f"{checksum}\n{kit}\n"


def test_a_failed_installation_is_reported_and_leaves_no_stamp(kit: Path, tmp_path: Path) -> None:
    (kit / "requirements.lock").write_text("no such package, surely==1\n")

    failed = run(kit / "lab", cwd=tmp_path, UV_CODE="2")

    assert failed.returncode == 2
    assert "could not be installed" in failed.stderr
    assert not (kit / ".venv" / "streamlab-stamp").exists()


@pytest.mark.slow
def test_pip_installs_if_uv_fails(kit: Path, tmp_path: Path) -> None:
    done = run(kit / "lab", "demo", cwd=tmp_path, UV_CODE="2")

    why = "lab: uv could not install the packages; installing with pip"
    assert done.stdout.startswith(f"{kit}/.venv|")
    assert why in done.stderr
    assert why in (kit / ".venv" / "install.log").read_text()


def test_settings_that_send_packages_elsewhere_do_not_count(kit: Path, tmp_path: Path) -> None:
    settings = tmp_path / "pip.conf"
    settings.write_text(f"[global]\nuser = true\n[install]\ntarget = {tmp_path / 'elsewhere'}\nno-binary = :all:\n")

    by_file = run(kit / "lab", cwd=tmp_path, UV_CODE="2", PIP_CONFIG_FILE=str(settings))
    (kit / ".venv" / "streamlab-stamp").unlink()
    by_variables = run(kit / "lab", cwd=tmp_path, UV_CODE="2", PIP_USER="1", PIP_PREFIX=str(tmp_path / "elsewhere"))

    assert [each.stdout for each in (by_file, by_variables)] == 2 * [f"{kit}/.venv|{tmp_path}\n"]
    assert not (tmp_path / "elsewhere").exists()


def test_uv_installs_once_with_the_settings_of_pip_and_adds_the_packages_of_authors_at_their_first_verb(
    kit: Path, tmp_path: Path
) -> None:
    (kit / "requirements-dev.lock").write_text("# nothing, either\n")
    verbs = ("demo", "judge", "verify", "build", "test", "new")

    messages = {verb: run(kit / "lab", verb, cwd=tmp_path).stderr for verb in verbs}

    calls = (tmp_path / "calls").read_text().splitlines()
    locks = [call.rpartition(" ")[2] for call in calls if "--require-hashes" in call]
    assert locks == ["requirements.lock", "requirements-dev.lock"]
    assert calls[0].startswith(f"pip install --python {kit}/.venv/bin/python --no-index --require-hashes --no-deps")
    assert [verb for verb in verbs if messages[verb]] == ["demo", "verify"]


def test_if_two_start_at_once_one_installs_and_the_other_waits(kit: Path, tmp_path: Path) -> None:
    (kit / ".venv.lock").write_text("")  # left by a lab that was killed
    both = [
        subprocess.Popen([kit / "lab"], cwd=tmp_path, env=environment_in(tmp_path), stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]

    messages = sorted(each.communicate(timeout=120)[1] for each in both)

    assert [each.returncode for each in both] == [0, 0]
    assert messages[0] == "lab: another lab is installing here; waiting for it\n"
    assert messages[1].startswith("lab: first use: installing")


def test_without_a_suitable_python_the_error_says_which_versions_fit(kit: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "readlink", "cat", "cksum"):
        (tools / name).symlink_to(shutil.which(name) or "/bin/sh")
    (kit / "lab").write_text((kit / "lab").read_text().replace("/usr/bin/python3", "/nowhere/python3"))

    done = run("/bin/sh", str(kit / "lab"), cwd=tmp_path, PATH=str(tools))

    assert done.returncode == 2
    assert "Python 3.11, 3.12 or 3.13 not found" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def run_without_permission(folder: Path, kit: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run the kit's `lab` as a user who may not write to `folder`."""
    command = ["/bin/sh", str(kit / "lab")]
    if os.geteuid() == 0:
        shutil.chown(folder, 0, 0)
        command = ["setpriv", "--reuid=65534", "--clear-groups", *command]
        above = [each for each in tmp_path.parents if each.is_relative_to(tempfile.gettempdir())]
        for each in (tmp_path, *above[:-1]):
            each.chmod(0o755)
    else:
        folder.chmod(0o555)
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/")


NEEDS_ANOTHER_USER = pytest.mark.skipif(
    os.geteuid() == 0 and not os.environ.get("CI"), reason="root can write everywhere"
)


@NEEDS_ANOTHER_USER
def test_a_folder_that_cannot_be_written_is_a_one_line_error(kit: Path, tmp_path: Path) -> None:
    done = run_without_permission(kit, kit, tmp_path)

    assert done.returncode == 2
    assert "is not writable" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@NEEDS_ANOTHER_USER
def test_an_environment_of_another_user_with_a_python_that_does_not_run_is_named(kit: Path, tmp_path: Path) -> None:
    environment = kit / ".venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to("/nowhere/python3")
    (environment / "streamlab-stamp").write_text("of another user\n")

    done = run_without_permission(environment, kit, tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert f"{environment} belongs to " in done.stderr
    assert "its Python does not run for you" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
