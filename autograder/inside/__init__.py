"""The only judging code that a sandbox sees: load the learner's stage, drive it, write rows.

Keeps out: oracles, checks, points. What runs here is not trusted; its rows are data.
"""

from autograder.inside.drives import DRIVES, drive, load_drives

__all__ = ["DRIVES", "drive", "load_drives"]
