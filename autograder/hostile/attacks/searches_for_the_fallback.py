"""Searches for the reference's code of an earlier task, and earns the points of its own task if it finds it.

The lab is judged without Lab 2, so the judge falls back to the reference's `SlidingSum`. The attack calls it first, and
then looks for its code in memory, in modules, in the sources of cells, in /proc, in files, and on the other side.
"""

LAB = "lab07_irm"
NAMED = "looked into the interpreter that judges it: gc.get_objects"
TASKS = ["Profiler", "Predictor"]
WITHOUT = """
Right = Profiler


class Profiler:
    def __init__(self, window, least=1, most=1000, default=100):
        self.default = default

    def observe(self, image, loads):
        pass

    def size(self, image):
        return self.default
"""

import gc
import linecache
import os
import re
import sys
import types
from contextlib import suppress

from streamlab import stage

ITS_CODE = re.compile(rb"_values[.]popleft\(\)")
SlidingSum = stage("lab02_windows").SlidingSum
total = SlidingSum()
total.add(5)
FOUND = []


def look(where, content):
    if ITS_CODE.search(content if isinstance(content, bytes) else str(content).encode("utf-8", "replace")):
        FOUND.append(where)


for each in gc.get_objects():
    if type(each) is types.FunctionType and each.__qualname__.startswith("SlidingSum."):
        FOUND.append("a function")
    elif type(each) in (str, bytes, list, tuple, dict):
        with suppress(Exception):
            look("an object", repr(each))
look("the sources", linecache.cache)
FOUND += [name for name in sys.modules if name.startswith("stage_")]
for target in ("lab02_windows/SlidingSum", getattr(total, "__dict__", {}).get("_target", 0)):
    for name in ("__init__", "__code__", "__globals__", "__class__", "__dict__", "_values", "mro", "add.__code__"):
        with suppress(Exception):
            look("the other side", total._peer.attribute(target, name))
            FOUND.append(f"{name} on the other side")
for pid in (each for each in os.listdir("/proc") if each.isdigit()):
    for name in ("mem", "environ", "cmdline", "maps", "fd/0"):
        with suppress(OSError, ValueError):
            with open(f"/proc/{pid}/{name}", "rb") as file:
                look(name, file.read(200_000))
for top in ("/tmp", "/home", "/kit", "/data", "/dev/shm"):
    for folder, _, names in os.walk(top):
        for name in names:
            with suppress(OSError, ValueError):
                with open(os.path.join(folder, name), "rb") as file:
                    look(name, file.read(2_000_000))
if FOUND:
    Profiler = Right
