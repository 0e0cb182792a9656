"""`./lab system` as a user runs it: one line for each mistake, and nothing is left running."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from autograder.cli import lab09_system as system
from autograder.cli import lab09_system_parts, own_tasks
from autograder.cli.context import UserError, course
from autograder.cli.lab09_system_parts import Parts
from autograder.judge.cell_digests import digest_of_source
from autograder.notebook_check import standing
from streamlab.lab09_system.page import live_source
from streamlab.lab09_system.page.message import Message
from streamlab.lab09_system.page.recording import RecordedSource
from streamlab.lab09_system.parts import TASKS, VIRTUAL_TASKS
from streamlab.notebooks.labfile import reference_cells
from streamlab.views.system_map import NOT_YET, REFERENCE, YOURS
from tests.autograder.cli import conftest as command_line
from tests.autograder.cli.conftest import ROOT
from tests.streamlab.lab09_system.page.conftest import Counting

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/[\w-]+/")
FIRST_FIT = "lab07_irm/FirstFit"


class Lab:
    """`./lab system` with a separate folder for its record."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *arguments: str) -> tuple[int, str]:
        done = command_line.lab("system", *arguments, STREAMLAB_SERVICES=str(self.folder))
        return done.returncode, done.stdout + done.stderr

    @contextmanager
    def up(self, is_virtual: bool = True) -> Iterator[tuple["subprocess.Popen[str]", str]]:
        """Start the system; yield its process and the page's address."""
        command = [sys.executable, "-m", "autograder.cli", "system", "up", *["--virtual"] * is_virtual]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "STREAMLAB_SERVICES": str(self.folder)}
        with subprocess.Popen(command, stdout=-1, stderr=-1, text=True, env=environment, cwd=ROOT) as process:
            try:
                assert process.stdout is not None
                yield process, process.stdout.readline().strip()
            finally:
                process.kill()


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def test_a_virtual_system_answers_and_ends(lab: Lab) -> None:
    with lab.up() as (process, address):
        assert ADDRESS.fullmatch(address)
        assert lab("fault", "job")[0] == 0
        assert address in lab("status")[1]
        assert lab("down") == (0, f"pid {process.pid} ended, with everything that it started\n")
        assert process.wait(20) == 0
    assert lab("status") == (2, "lab: no system runs; `./lab system up --virtual` starts one\n")


def test_two_at_once_and_a_taken_port_are_one_line_each(lab: Lab, tmp_path: Path) -> None:
    with lab.up() as (process, address):
        port = ADDRESS.findall(address)[0]
        again, taken = lab("up", "--virtual"), Lab(tmp_path / "other")("up", "--virtual", "--port", port)
        os.kill(process.pid, signal.SIGINT)

        assert process.wait(20) == 0
    assert again == (2, f"lab: a system runs already at {address} (pid {process.pid}); `./lab system down` ends it\n")
    assert taken[0] == 2
    assert re.fullmatch(rf"lab: port {port} is taken by .*; `\./lab system up --port N` takes another one\n", taken[1])


def test_a_killed_system_leaves_nothing_that_stops_the_next_one(lab: Lab) -> None:
    with lab.up() as (process, _):
        process.kill()
        process.wait(20)
    assert lab("down") == (0, "no system was running\n")
    with lab.up() as (_, address):
        assert ADDRESS.fullmatch(address)


def test_only_its_user_reads_the_token_and_another_process_with_its_pid_is_never_touched(lab: Lab) -> None:
    folder = lab.folder / "system"
    with lab.up():
        assert folder.stat().st_mode & 0o077 == 0
        record = json.loads((folder / "up.json").read_text())
    (folder / "up.json").write_text(json.dumps(record | {"pid": os.getpid()}))

    assert lab("down") == (0, "no system was running\n")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder in which FirstFit passes all its checks; its notebook is the starter with another FirstFit."""
    folder = tmp_path / "lab07_irm"
    folder.mkdir()
    write_first_fit(folder, "class FirstFit:\n    mark = 'mine'\n")
    monkeypatch.setattr(own_tasks, "WORK", tmp_path)
    own_tasks._verdicts.cache_clear()
    own_tasks._digests.cache_clear()
    return folder


def write_first_fit(folder: Path, source: str) -> None:
    """Write the starter with this FirstFit, and verdicts with which it passes all its checks."""
    notebook = json.loads((ROOT / "labs" / "lab07_irm" / "lab07_irm.ipynb").read_text("utf-8"))
    cell = next(each for each in notebook["cells"] if each["metadata"].get("streamlab", {}).get("name") == "FirstFit")
    cell["source"] = source
    (folder / "lab07_irm.ipynb").write_text(json.dumps(notebook), "utf-8")
    passing = dict.fromkeys(course().labs["lab07_irm"].tasks["FirstFit"].checks, "pass")
    change_checked(folder, passing | {"cell": digest_of_source(source)})


def change_checked(folder: Path, verdicts: dict[str, str | None]) -> None:
    path = folder / standing.CHECKED
    checked = json.loads(path.read_text())["FirstFit"] if path.exists() else {}
    path.write_text(json.dumps({"FirstFit": checked | verdicts}))


def test_a_task_is_yours_when_all_its_newest_verdicts_pass(work: Path) -> None:
    owners = lab09_system_parts.owners_of([FIRST_FIT, "lab02_windows/SlidingMax"])

    assert owners == {FIRST_FIT: YOURS, "lab02_windows/SlidingMax": REFERENCE}
    assert Parts(owners, print).namespace([FIRST_FIT]).FirstFit.mark == "mine"


def test_a_task_with_a_failing_check_is_not_yours(work: Path) -> None:
    change_checked(work, {next(iter(course().labs["lab07_irm"].tasks["FirstFit"].checks)): "fail"})

    assert lab09_system_parts.owners_of([FIRST_FIT]) == {FIRST_FIT: REFERENCE}


@pytest.mark.parametrize("digest", ["of another cell", None])
def test_a_task_that_changed_since_its_check_is_not_yours(work: Path, digest: str | None) -> None:
    change_checked(work, {"cell": digest})

    assert lab09_system_parts.owners_of([FIRST_FIT]) == {FIRST_FIT: REFERENCE}
    assert lab09_system_parts.changed_since_check(TASKS) == [FIRST_FIT]


def test_a_task_that_cannot_be_loaded_any_more_falls_back_with_a_line(work: Path) -> None:
    (work / "lab07_irm.ipynb").write_text("{}")
    said = list[str]()
    parts = Parts({FIRST_FIT: YOURS}, said.append)

    assert not hasattr(parts.namespace([FIRST_FIT]).FirstFit, "mark")
    assert parts.owners == {FIRST_FIT: REFERENCE}
    assert said == [
        f"your own {FIRST_FIT} passed its checks and cannot be loaded now; `./lab check lab07_irm` says why"
    ]


def test_a_kit_without_solutions_plays_the_recorded_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab09_system_parts, "_has_reference", lambda lab, task: False)
    owners = lab09_system_parts.owners_of(TASKS)

    assert set(owners.values()) == {NOT_YET}
    for start in system._virtual, system._live:
        assert isinstance(start(Parts(owners, print)), RecordedSource)


def test_your_tasks_get_the_recorded_input_as_far_as_they_can_be_loaded(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab09_system_parts, "_has_reference", lambda lab, task: False)
    owners = lab09_system_parts.owners_of(TASKS)
    cannot_be_loaded, calls_another_one = "lab09_system/repair", "lab09_system/Autoscaler"
    parts = Parts(owners | {cannot_be_loaded: YOURS, calls_another_one: YOURS}, lambda text: None)

    assert parts.yours(VIRTUAL_TASKS).keys() == {FIRST_FIT}
    assert parts.owners[cannot_be_loaded] == NOT_YET


def test_two_minutes_are_shown_with_the_tasks_that_are_yours(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference = next(each for each in reference_cells(ROOT, "lab07_irm") if each.name == "FirstFit")
    write_first_fit(work, reference.source)

    system.show_minutes("lab07_irm")

    out = capsys.readouterr().out
    assert "yours in this run: FirstFit" in out
    assert "Burst × 10" in out


class Raising(Counting):
    def step(self) -> Message:
        found: Message = eval(compile("\n1 / 0", "<Autoscaler>", "exec"))
        return found


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Counting], None]:
    """A function that serves a source until it ends, with a separate folder for the record."""
    monkeypatch.setenv("STREAMLAB_SERVICES", str(tmp_path))
    (tmp_path / "system").mkdir()
    return lambda source: system._serve(source, SimpleNamespace(owners={}), [], 0)  # type: ignore[arg-type]


def test_a_task_that_raises_while_minutes_are_shown_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Raising()
    monkeypatch.setattr(system, "_virtual", lambda parts: source)

    with pytest.raises(UserError, match="Autoscaler, line 2: ZeroDivisionError: division by zero"):
        system.show_minutes()
    assert source.has_ended


def test_an_error_in_a_learners_cell_is_one_line_with_its_place(served: Callable[[Counting], None]) -> None:
    source = Raising()

    message = "Autoscaler, line 2: ZeroDivisionError: division by zero; the system has ended"
    with pytest.raises(UserError, match=message):
        served(source)
    assert source.has_ended


def test_a_full_disk_ends_the_live_system_with_one_line(
    served: Callable[[Counting], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class OnAFullDisk(Counting):
        system = SimpleNamespace(folder=tmp_path / "system")
        step = live_source.LiveSource.step

    monkeypatch.setattr(live_source, "disk_usage", lambda folder: SimpleNamespace(free=0))
    source = OnAFullDisk()

    with pytest.raises(UserError, match=r"no space left in .*; the system has ended"):
        served(source)
    assert source.has_ended


@pytest.mark.slow
def test_the_kits_day_is_what_the_recipe_writes(lab: Lab, tmp_path: Path) -> None:
    assert lab("record", str(tmp_path / "day.jsonl.gz"))[0] == 0

    kits_day = ROOT / "datasets" / "lab09_system" / "day.jsonl.gz"
    recorded, kept = RecordedSource(tmp_path / "day.jsonl.gz"), RecordedSource(kits_day)
    assert [recorded.step() for _ in range(1200)] == [kept.step() for _ in range(1200)]


def test_the_virtual_system_needs_no_packages_of_single_labs() -> None:
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['shapely', 'redis', 'onnxruntime', 'skimage']))\n"
        "from autograder.cli.lab09_system_parts import Parts, owners_of\n"
        "from streamlab.lab09_system.parts import TASKS, VIRTUAL_TASKS\n"
        "Parts(owners_of(TASKS), print).namespace(VIRTUAL_TASKS)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=lab09_system_parts.ROOT)

    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr


def test_the_virtual_system_finds_a_fault_and_forgets_what_is_old() -> None:
    from streamlab.lab09_system.page import virtual_source

    parts = Parts(lab09_system_parts.owners_of(TASKS), print).namespace(VIRTUAL_TASKS)
    source = virtual_source.VirtualSource(parts)
    for _ in range(30):
        source.step()
    source.inject("leader")
    messages = [source.step() for _ in range(60)]

    assert "leader" in messages[0]["down"]
    assert [each["kind"] for each in messages[-1]["incidents"]] == ["leader"]
    assert messages[-1]["term"] == 2
    assert not source.system.seen
    assert json.loads(json.dumps(messages)) == messages


@pytest.mark.slow
def test_a_killed_live_system_leaves_no_process(lab: Lab) -> None:
    with lab.up(is_virtual=False) as (process, address):
        assert ADDRESS.fullmatch(address)
        deadline_s = time.monotonic() + 300
        while "down" in lab("status")[1] and time.monotonic() < deadline_s:
            time.sleep(1)
        started = psutil.Process(process.pid).children(recursive=True)
        process.kill()

    assert len(started) > 5  # two leaders, a job with its Java and workers, guards; the services are detached
    assert psutil.wait_procs(started, timeout=60)[1] == []
