"""Isolation at each level: what a learner's code cannot see, reach or use up."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from autograder.course import Course
from autograder.judge import judge_files
from autograder.judge.request import Request
from autograder.sandbox import bubblewrap, memory_group, own_keyring, system_calls
from streamlab.notebooks.labfile import LabCell
from tests.autograder.conftest import working_level


def judged(root: Path, course: Course, level: str, source: str) -> dict[str, Any]:
    """Judge a percent source whose `double` is `source` and whose `triple` is right."""
    path = root / "lab99_tiny.py"
    cells = [LabCell("code", source), LabCell("code", "def triple(x):\n    return 3 * x")]
    path.write_text("".join(f"# %%\n{cell.source}\n" for cell in cells))
    return judge_files([path], Request(root, course, sandbox=level))[0]


def seen_by_learner(root: Path, course: Course, level: str, expression: str) -> str:
    """Return the value of an expression inside, as the message of the check that it fails."""
    results = judged(root, course, level, f"import os, socket, pathlib\ndef double(x):\n    return repr({expression})")
    assert results["streamlab"]["checks"][1]["verdict"] == "pass"
    return str(results["streamlab"]["checks"][0]["sentence"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("os.getuid() != 0 and os.geteuid() != 0", "True"),
        ("sorted(os.listdir('/kit'))", "'autograder', 'streamlab'"),
        (
            "sorted(p.name for p in pathlib.Path('/kit/autograder/stages/lab99_tiny/numbers').iterdir())",
            "__init__.py', 'drive.py'",
        ),
        ("os.path.exists('/kit/autograder/checks')", "False"),
        ("os.path.exists('/kit/autograder/judge')", "False"),
        ("os.access('/kit', os.W_OK) or os.access('/usr', os.W_OK) or os.access('/etc', os.W_OK)", "False"),
        ("len([p for p in os.listdir('/proc') if p.isdigit()]) < 10", "True"),
        ("[i[1] for i in socket.if_nameindex()]", "['lo']"),
        ("sorted(k for k in os.environ if 'TOKEN' in k or 'SECRET' in k or 'KEY' in k)", "[]"),
        ("'SECRET_OF_THE_TEACHER' in os.environ", "False"),
        ("open('/proc/1/cmdline').read().count('streamlab-box')", '"0"'),
        ("os.path.exists('/opt/streamlab/course.yml') or os.path.exists('/opt/streamlab/solutions')", "False"),
        ("int(open('/proc/self/status').read().split('CapEff:')[1].split()[0], 16)", '"0"'),
        ("open('/proc/self/status').read().split('NoNewPrivs:')[1].split()[0]", "1"),
    ],
)
def test_inside_an_expression_has_the_expected_value(
    tiny_root: Path,
    tiny_course: Course,
    isolated_level: str,
    monkeypatch: pytest.MonkeyPatch,
    expression: str,
    expected: str,
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_TEACHER", "x")

    assert expected in seen_by_learner(tiny_root, tiny_course, isolated_level, expression)


def test_a_sandbox_sees_only_programs_and_libraries_of_the_usr_folder(tiny_root: Path, tiny_course: Course) -> None:
    """Bubblewrap only: in a container, `/usr` belongs to the image."""
    hidden = "[each for each in ('/usr/local/share', '/usr/src', '/usr/share/doc') if os.path.exists(each)]"

    assert "[]" in seen_by_learner(tiny_root, tiny_course, "bubblewrap", hidden)


def test_a_class_folder_inside_a_visible_folder_is_hidden(
    tiny_root: Path, tiny_course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level, group = working_level("bubblewrap"), tmp_path / "cache" / "class"
    (group / "submitted").mkdir(parents=True)
    (group / "secret").write_text("7")
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("STREAMLAB_CLASS", str(group))

    seen = seen_by_learner(tiny_root, tiny_course, level, f"os.listdir({str(group)!r})")

    assert '"[]"' in seen


@pytest.mark.parametrize("name", ["keyctl", "request_key", "userfaultfd", "bpf", "perf_event_open", "memfd_create"])
def test_a_system_call_that_nothing_needs_does_not_exist(tiny_root: Path, tiny_course: Course, name: str) -> None:
    level, number = working_level("bubblewrap"), system_calls.FORBIDDEN[name][platform.machine() == "aarch64"]
    call = f"(C := __import__('ctypes').CDLL(None, use_errno=True)).syscall({number}, 0, 0, 0, 0, 0)"

    seen = seen_by_learner(tiny_root, tiny_course, level, f"({call}, os.strerror(__import__('ctypes').get_errno()))")

    assert "(-1, 'Function not implemented')" in seen


def test_a_sandbox_sees_no_keys(tiny_root: Path, tiny_course: Course) -> None:
    keys = "os.path.exists('/proc/keys') and len(open('/proc/keys').read())"

    assert '"0"' in seen_by_learner(tiny_root, tiny_course, working_level("bubblewrap"), f"int({keys})")


def test_the_session_keyring_of_a_sandbox_is_its_own() -> None:
    number = own_keyring.KEYCTL[platform.machine()]
    ask = f"import ctypes; print(ctypes.CDLL(None).syscall({number}, 0, -3, 0))"  # the keyring's number

    def answer(*before: str) -> str:
        return subprocess.run([*before, sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout

    if int(answer()) < 0:
        pytest.skip("no keyrings here")

    assert len({answer(), answer(*bubblewrap.OWN_KEYRING), answer(*bubblewrap.OWN_KEYRING)}) == 3


def test_a_fork_bomb_costs_only_itself(tiny_root: Path, tiny_course: Course, isolated_level: str) -> None:
    results = judged(tiny_root, tiny_course, isolated_level, "import os\ndef double(x):\n    while True: os.fork()")

    assert [check["verdict"] for check in results["streamlab"]["checks"]][1] == "pass"
    assert results["streamlab"]["checks"][0]["verdict"] in ("error", "timeout")


def test_a_full_disk_inside_is_an_error_of_that_task_only(
    tiny_root: Path, tiny_course: Course, isolated_level: str
) -> None:
    source = "def double(x):\n    with open('/tmp/big', 'wb') as f:\n        while True: f.write(b'x' * 10_000_000)"

    checks = judged(tiny_root, tiny_course, isolated_level, source)["streamlab"]["checks"]

    assert [check["verdict"] for check in checks] == ["error", "pass"]


def test_a_sandbox_leaves_no_files_and_no_processes(
    tiny_root: Path, tiny_course: Course, isolated_level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = tmp_path / "boxes"
    boxes.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(boxes))
    mark = f"987.{os.getpid()}"
    stray = f"import subprocess\nsubprocess.Popen(['sleep', '{mark}'], start_new_session=True)"
    source = f"{stray}\ndef double(x):\n    return 2 * x"

    assert judged(tiny_root, tiny_course, isolated_level, source)["score"] == 4

    assert list(boxes.iterdir()) == []
    assert not [each for each in psutil.process_iter(["cmdline"]) if mark in (each.info["cmdline"] or ())]


def test_the_limit_that_was_hit_is_reported_when_memory_is_used_up(
    tiny_root: Path, tiny_course: Course, isolated_level: str
) -> None:
    source = "def double(x):\n    held = []\n    while True: held.append(bytearray(10_000_000))"

    results = judged(tiny_root, tiny_course, isolated_level, source)

    assert [check["verdict"] for check in results["streamlab"]["checks"]] == ["error", "pass"]
    assert any("over the memory limit" in each for each in results["streamlab"]["limits_hit"])


def test_a_flood_of_output_ends_at_its_limit(tiny_root: Path, tiny_course: Course, isolated_level: str) -> None:
    source = "def double(x):\n    while True: print('x' * 100_000)"

    results = judged(tiny_root, tiny_course, isolated_level, source)

    assert [check["verdict"] for check in results["streamlab"]["checks"]] == ["error", "pass"]
    assert any("printed over 1 MB" in each for each in results["streamlab"]["limits_hit"])


def test_unread_bytes_of_sockets_count_as_memory(tiny_root: Path, tiny_course: Course) -> None:
    if memory_group.parent_of_groups() is None:
        assert not os.environ.get("CI"), "CI needs a writable control group"
        pytest.skip("no control group can be written here")
    source = """
import socket

def double(x):
    held = []
    for _ in range(2000):
        held.append(socket.socketpair())
        held[-1][0].setblocking(False)
        try:
            while True:
                held[-1][0].send(b"x" * 4096)
        except BlockingIOError:
            pass
"""

    results = judged(tiny_root, tiny_course, working_level("bubblewrap"), source)

    assert [check["verdict"] for check in results["streamlab"]["checks"]] == ["error", "pass"]
    assert any("over the memory limit" in each for each in results["streamlab"]["limits_hit"])


@pytest.mark.parametrize("level", ["bubblewrap", "process"])
def test_memory_is_limited_without_a_control_group(
    tiny_root: Path, tiny_course: Course, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.sandbox.memory_limit.new_group", lambda limit_mb: None)
    source = "def double(x):\n    held = []\n    while True: held.append(bytearray(10_000_000))"

    checks = judged(tiny_root, tiny_course, working_level(level), source)["streamlab"]["checks"]

    assert [check["verdict"] for check in checks] == ["error", "pass"]


def test_the_number_of_empty_files_is_limited(
    tiny_root: Path, tiny_course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.sandbox.watchdog.INODES_MAX", 500)
    source = """
def double(x):
    for number in range(1000):
        open(f"/tmp/{number}", "w").close()
    while True:
        pass
"""

    results = judged(tiny_root, tiny_course, working_level("bubblewrap"), source)

    assert [check["verdict"] for check in results["streamlab"]["checks"]] == ["error", "pass"]
    assert any("over 500 files" in each for each in results["streamlab"]["limits_hit"])
