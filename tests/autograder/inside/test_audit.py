"""The audit reports attempts of a learner's code to leave its sandbox, but not the work of libraries and the kit."""

from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course
from autograder.judge import judge_files
from autograder.judge.request import Request

# In a container the audit runs the same code; the attacks try it there (`./lab verify --attacks`).
pytestmark = pytest.mark.parametrize("level", ["bubblewrap", "process"], indirect=True)
RIGHT = "def double(x):\n    return 2 * x\ndef triple(x):\n    return 3 * x\n"


def judged(root: Path, course: Course, level: str, source: str) -> dict[str, Any]:
    path = root / "lab99_tiny.py"
    path.write_text(f"# %%\n{source}\n# %%\n{RIGHT}")
    patient = course.limits.model_copy(update={"load_s": 60, "wall_s": 120})  # matplotlib looks for fonts at first
    course = course.model_copy(update={"limits": patient})
    return judge_files([path], Request(root, course, sandbox=level))[0]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("try: open('/root/secret')\nexcept OSError: pass", "It tried to open /root/secret (while the notebook"),
        ("import os\ntry: os.open('/root/secret', os.O_WRONLY)\nexcept OSError: pass", "tried to open /root/secret"),
        ("import os\ntry: os.listdir('/root')\nexcept OSError: pass", "looked into the folder /root"),
        ("import os\ntry: os.remove('/root/x')\nexcept OSError: pass", "tried to change /root/x"),
        ("import os\nos.symlink('/root/x', os.path.expanduser('~/mine'))", "tried to change /root/x"),
        ("import subprocess\nsubprocess.run(['true', 'x'])", "started another process: true x"),
        ("import os\nos.system('true')", "started another process: true"),
        ("import os\nif os.fork() == 0: os._exit(0)", "started another process: os.fork"),
        ("import os\nos.kill(os.getppid(), 0)", "sent a signal to another process: 0 to"),
        ("import socket\ntry: socket.create_connection(('192.0.2.1', 9), 0.1)\nexcept OSError: pass", "192.0.2.1"),
        ("import ctypes\nctypes.CDLL(None)", "called into C libraries (ctypes)"),
        ("import gc\ngc.get_objects()", "gc.get_objects"),
        ("import sys\nsys._getframe(1)", "looked at the frames"),
        ("import sys\nsys.addaudithook(lambda *_: None)", "sys.addaudithook"),
        ("try:\n    import autograder.judge.batch\nexcept ImportError: pass", "tried to import autograder.judge"),
        ("exec(\"try: open('/root/secret')\\nexcept OSError: pass\")", "tried to open /root/secret"),
        (
            "import threading\ndef look():\n    try: open('/root/secret')\n    except OSError: pass\n"
            "t = threading.Thread(target=look)\nt.start()\nt.join()",
            "tried to open /root/secret",
        ),
        (
            "import os, sys\nhome = os.path.expanduser('~')\nopen(home + '/mine.py', 'w').write("
            "\"try: open('/root/secret')\\nexcept OSError: pass\")\nsys.path.insert(0, home)\nimport mine",
            "tried to open /root/secret",
        ),
    ],
)
def test_an_attempt_is_reported_and_costs_no_right_answer(
    tiny_root: Path, tiny_course: Course, level: str, source: str, message: str
) -> None:
    results = judged(tiny_root, tiny_course, level, source)

    assert results["score"] == 4
    assert any(message in note for note in results["streamlab"]["notes"]), results["streamlab"]["notes"]


def test_an_attempt_in_a_task_is_reported_with_the_task(tiny_root: Path, tiny_course: Course, level: str) -> None:
    path = tiny_root / "lab99_tiny.py"
    path.write_text(
        "# %%\ndef double(x):\n    try: open('/root/x')\n    except OSError: pass\n    return 2 * x\n"
        "# %%\ndef triple(x):\n    return 3 * x\n"
    )

    results = judge_files([path], Request(tiny_root, tiny_course, sandbox=level))[0]

    assert results["streamlab"]["notes"] == ["It tried to open /root/x (in double)."]


@pytest.mark.parametrize(
    "source",
    [
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('plot.svg')",
        "import pyspark\nfrom pyspark.sql import DataFrame\nfrom pyspark.streaming import DStream",
        "import asyncio, json, logging, multiprocessing, socket, sqlite3, subprocess, urllib.request",
        "import tempfile, pathlib\nwith tempfile.TemporaryDirectory() as d: pathlib.Path(d, 'x').write_text('y')",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'a b')\nimport logging\nlogging.warning('x')",
        "from dataclasses import dataclass\n@dataclass\nclass Pair:\n    a: int\nPair(1)",
        "import sqlite3\nsqlite3.connect(':memory:').execute('select 1')",
        "from streamlab import LineServer\nimport socket\n"
        "with LineServer(['a']) as server, socket.create_connection((server.host, server.port)): pass",
        "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()",
        "import os\nos.getcwd(), os.cpu_count(), open(os.__file__).read()",
        "import warnings\nwarnings.warn('careful')",
    ],
)
def test_honest_work_has_no_findings(tiny_root: Path, tiny_course: Course, level: str, source: str) -> None:
    results = judged(tiny_root, tiny_course, level, source)

    assert (results["score"], results["streamlab"]["notes"]) == (4, [])


def test_at_most_a_few_dozen_attempts_are_reported(tiny_root: Path, tiny_course: Course, level: str) -> None:
    source = "for n in range(1000):\n    try: open(f'/root/{n}')\n    except OSError: pass"

    notes = judged(tiny_root, tiny_course, level, source)["streamlab"]["notes"]

    assert 10 < len(notes) < 50
