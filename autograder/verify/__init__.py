"""The kit judges itself: is each check able to fail, does right work get full marks, are verdicts the same twice?

`verification` runs the parts for a lab; most of them drive versions of it in warm sandboxes (`work`, `warm_sandbox`).
"""

from autograder.verify.attacks import verify_attacks
from autograder.verify.verification import Extent, verify_lab

__all__ = ["Extent", "verify_attacks", "verify_lab"]
