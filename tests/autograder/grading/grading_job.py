"""Judge the class in STREAMLAB_CLASS with the kit on PYTHONPATH, and say each time a result is kept.

A program of its own, since a Python has one Spark only:
python grading_job.py LAB [--throughput] [--master spark://…] [--sandbox LEVEL]
"""

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from autograder.classroom import cached_results
from autograder.classroom.folder import ROOT, Classroom
from autograder.grading import class_grading, cluster_backend
from autograder.judge.request import Request

arguments = argparse.ArgumentParser()
arguments.add_argument("lab")
arguments.add_argument("--throughput", action="store_true")
arguments.add_argument("--master")
arguments.add_argument("--sandbox", default="bubblewrap")
asked = arguments.parse_args()
really = cached_results.keep


def keep(path: Path, result: cached_results.CachedResult) -> None:
    """Keep, and say it."""
    really(path, result)
    print(f"kept {path.stem} {result.results['streamlab']['timing'].get('worker', '')}", flush=True)


cached_results.keep = keep
classroom = Classroom.of_this_kit()
request = {"lab": asked.lab, "throughput": asked.throughput, "workers": 2}
workers: Any = nullcontext()
if asked.master:
    workers = cluster_backend.workers_of(asked.master, asked.lab, classroom.course, ROOT, asked.sandbox, None)
with workers as cluster:
    place = {"backend": cluster, "workers": cluster.slots} if cluster else {}
    graded = class_grading.grade_class(classroom, asked.lab, Request(ROOT, classroom.course, **request | place), print)
for problem in graded.problems:
    print(f"problem {problem}")
