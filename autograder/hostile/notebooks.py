"""Writes an attack as a student's notebook: the reference, one task wrong on purpose, and the attacking cell.

The points of this work without the attack are therefore known, and an attack has gained something if it earns more.
"""

import json
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.hostile.attack import Attack

Notebook = dict[str, Any]
# A wrong version of the first task in every list of attacked tasks.
WRONG = {
    "words": "def words(line):\n    return line.split(' ')\n",
    "count_words": (
        "def count_words(lines):\n"
        "    counts = Counter(lines.flatMap(words).collect())\n"
        "    return lines.context.parallelize(list(counts.items()), 2)\n"
    ),
    "trending": "def trending(counts, k):\n    return sorted(counts)[:k]\n",
    "bucket_of": "def bucket_of(row, fields, buckets):\n    return len(str(row)) % buckets\n",
    "cpus": "def cpus(text):\n    return [len(text)]\n",
    "LruCache": (
        "class LruCache(dict):\n"
        "    def __init__(self, entries, ttl_s=math.inf, clock=time.monotonic):\n"
        "        self.hits = self.misses = 0\n\n"
        "    def put(self, key, value):\n"
        "        self[key] = value\n"
    ),
    "service_levels": (
        "def service_levels(expected, seen, now_ms, objective):\n"
        "    return Report(0, 0, 0, now_ms, now_ms, 0, 1.0, (False,))\n"
    ),
    "dispatch": (
        "def dispatch(registry, message, image, is_stored, was_lost=False):\n    return [Order('wait', message)]\n"
    ),
    "contains": (
        "def contains(polygons, lon, lat):\n"
        "    west, south, east, north = bounds(polygons)\n"
        "    return west <= lon <= east and south <= lat <= north\n"
    ),
    "partition_for": "def partition_for(key, partitions):\n    return len(key) % partitions\n",
}
AS_SLOW_AS_THE_BASELINE = (
    "def count_words(lines):\n    return lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(add)\n"
)
WRITE_TO_EVERY_PIPE = """import os
import stat
from contextlib import suppress

def write_to_every_pipe(data):
    for descriptor in range(3, 100):
        with suppress(OSError):
            left = data if stat.S_ISFIFO(os.fstat(descriptor).st_mode) else b""
            while left:
                left = left[os.write(descriptor, left):]

"""


@dataclass(frozen=True)
class Targets:
    """The targets of attacks: a class's folder, the teacher's home, the kit; `mark` identifies leftover processes."""

    class_folder: Path
    teachers_home: Path
    kit: Path
    mark: str = "hostile"

    def as_cell(self, attack: Attack) -> str:
        """Return a cell with the names that attacks use: the lab, its tasks, paths, and `write_to_every_pipe`."""
        task, other_task = (*attack.tasks, "")[:2]
        places = f"CLASS_FOLDER, TEACHERS_HOME = {str(self.class_folder)!r}, {str(self.teachers_home)!r}\n"
        places += f"LAB, TASK, OTHER_TASK = {attack.lab!r}, {task!r}, {other_task!r}\n"
        return f"{places}KIT = {str(self.kit)!r}\n{WRITE_TO_EVERY_PIPE}os.environ['HOSTILE_MARK'] = {self.mark!r}\n"


def as_notebook(attack: Attack, reference: Notebook, targets: Targets, path: Path) -> Path:
    """Write `attack` to `path` as a copy of the `reference` notebook with more cells at its end; return the path."""
    notebook = wrong_work(attack.tasks[0], reference, throughput=attack.throughput, source=attack.without)
    cells = {"hostile-targets": targets.as_cell(attack), "hostile-attack": attack.code}
    notebook["cells"] += [_code_cell(source, identity) for identity, source in cells.items()]
    if attack.output_html:
        notebook["cells"][-1]["outputs"] = [_html_output(attack.output_html)]
    for cell in notebook["cells"]:
        if attack.markdown and cell["metadata"].get("streamlab", {}).get("role") == "written":
            cell["source"] = attack.markdown
    return write(notebook, path)


def wrong_work(task: str, reference: Notebook, *, throughput: bool = False, source: str = "") -> Notebook:
    """Return the reference without an attack and with `task` wrong (for `throughput`: as slow as the baseline).

    `source` is the wrong version, if it is not the usual one.
    """
    notebook = deepcopy(reference)
    source = source or (AS_SLOW_AS_THE_BASELINE if throughput else WRONG[task])
    notebook["cells"].append(_code_cell(source, "hostile-wrong"))
    return notebook


def write(notebook: Notebook, path: Path) -> Path:
    """Write a notebook as Jupyter does; return its path."""
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _code_cell(source: str, identity: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": identity,
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def _html_output(html: str) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}
