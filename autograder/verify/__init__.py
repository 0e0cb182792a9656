"""The kit judges itself: is each check able to fail, does right work get full marks, are verdicts the same twice?"""

from autograder.verify.verification import verify_attacks, verify_lab

__all__ = ["verify_attacks", "verify_lab"]
