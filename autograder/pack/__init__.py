"""The student's kit as one archive: what is in it (`contents`), its README (`student_readme`), no leak (`leaking`).

`pack_kit` writes it. Keeps out: what instructors and authors need: solutions, mutants, alternatives, recording,
building, verifying, tests, benchmarks, the class.
"""

from autograder.pack.archive import PackRejected, PackSummary, pack_kit

__all__ = ["PackRejected", "PackSummary", "pack_kit"]
