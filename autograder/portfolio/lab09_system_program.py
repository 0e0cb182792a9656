"""Shows two minutes of the complete system in virtual time, with the tasks of this package.

While some tasks that decide are missing, a recorded day plays, and the tasks of this package get its input.
"""

import importlib
import sys
import time
from types import SimpleNamespace

from streamlab.lab09_system.page.message import Source
from streamlab.lab09_system.page.recording import DAY, RecordedSource
from streamlab.lab09_system.page.seconds_as_text import seconds_as_text
from streamlab.lab09_system.page.virtual_source import VirtualSource
from streamlab.lab09_system.parts import CALLS, VIRTUAL_TASKS

LINE_S = 0.15  # between two lines, so that the lag is seen to grow
TASKS = importlib.import_module(__package__ or "").TASKS


def source() -> Source:
    """Return the virtual system, or the recorded day if one of its tasks is missing."""
    own = {task: TASKS[task] for task in VIRTUAL_TASKS if task in TASKS}
    if len(own) == len(VIRTUAL_TASKS):
        print(f"all {len(own)} tasks that decide are from this package")
        return VirtualSource(SimpleNamespace(**{task.partition("/")[2]: each for task, each in own.items()}))
    print(f"{len(own)} of the {len(VIRTUAL_TASKS)} tasks that decide are in this package: a recorded day plays")
    return RecordedSource(DAY, {task: own[task] for task in own if all(each in own for each in CALLS.get(task, ()))})


def main() -> None:
    """Print a line for every five seconds."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    shown = source()
    try:
        for line in seconds_as_text(shown):
            print(line, flush=True)
            time.sleep(LINE_S)
    finally:
        shown.end()


if __name__ == "__main__":
    main()
