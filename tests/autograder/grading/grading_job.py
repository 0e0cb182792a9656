"""Judge the class in STREAMLAB_CLASS with the kit on PYTHONPATH, and print a line for each result that is saved.

A separate program, since a Python process can have only one Spark:
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
options = arguments.parse_args()
keep_result = cached_results.keep


def keep(path: Path, result: cached_results.CachedResult) -> None:
    """Save a result and print a line."""
    keep_result(path, result)
    print(f"kept {path.stem} {result.results['streamlab']['timing'].get('worker', '')}", flush=True)


cached_results.keep = keep
classroom = Classroom.of_this_kit()
request = {"lab": options.lab, "throughput": options.throughput, "workers": 2}
workers: Any = nullcontext()
if options.master:
    workers = cluster_backend.workers_of(options.master, options.lab, classroom.course, ROOT, options.sandbox, None)
with workers as cluster:
    backend_options = {"backend": cluster, "workers": cluster.slots} if cluster else {}
    graded = class_grading.grade_class(
        classroom, options.lab, Request(ROOT, classroom.course, **request | backend_options), print
    )
for problem in graded.problems:
    print(f"problem {problem}")
