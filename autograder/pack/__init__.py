"""Packs the student's kit as one archive: its files (`contents`), its README (`student_readme`), no leaks (`leaks`).

`pack_kit` writes it, and `gradescope` packs one lab's judge. The student's kit leaves out what only instructors and
authors need: solutions, mutants, alternatives, recording, building, verification, tests, benchmarks, the class.
"""

from autograder.pack.archive import PackRejected, PackSummary, pack_kit

__all__ = ["PackRejected", "PackSummary", "pack_kit"]
