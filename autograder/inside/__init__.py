"""The only judging code in a sandbox: it loads the learner's stage, drives it and writes rows.

The judge does not trust this code and treats its rows as data. Oracles, checks and points stay outside.
"""

from autograder.inside.drives import DRIVES, drive, load_drives

__all__ = ["DRIVES", "drive", "load_drives"]
