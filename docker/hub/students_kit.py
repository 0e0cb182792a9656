"""Write the student's kit of this clone to a folder, for images without solutions.

Usage: python students_kit.py FOLDER; docker/Dockerfile runs it.
"""

import sys
from pathlib import Path

from autograder.cli.context import ROOT, course
from autograder.pack.archive import students_files, write_files

if __name__ == "__main__":
    write_files(students_files(ROOT, course()), Path(sys.argv[1]))
