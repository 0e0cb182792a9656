"""Writes a manual score of 99 for every student into the gradebook.

Stock nbgrader: 297 of 10 points, and a classmate at 0.
"""

NAMED = "gradebook.db"
EVERY_LAB = True

import sqlite3

try:
    gradebook = sqlite3.connect(f"{CLASS_FOLDER}/gradebook.db", timeout=1)
    gradebook.execute("update grade set manual_score = 99, needs_manual_grade = 0")
    gradebook.commit()
except sqlite3.Error as problem:
    print(problem)
