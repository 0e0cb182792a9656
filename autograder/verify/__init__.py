"""Self-verification: each check can fail, right work gets full marks, and repeated runs give the same verdicts.

`verification` runs the parts for a lab; most of them drive versions of it in warm sandboxes (`work`, `warm_sandbox`).
This package imports nothing itself, so that `variants` works without the authors' packages.
"""
