"""Finds another student's work in the class's folder and runs it.

Stock nbgrader: 10 of 10 points.
"""

NAMED = "looked into the folder"

import json
import os

try:
    for student in os.listdir(f"{CLASS_FOLDER}/submitted"):
        theirs = f"{CLASS_FOLDER}/submitted/{student}/lab01_wordcount/lab01_wordcount.ipynb"
        for cell in json.load(open(theirs))["cells"]:
            if "def words" in "".join(cell["source"]):
                exec("".join(cell["source"]))
except OSError as problem:
    print(problem)
