"""The kit judges itself: is each check able to fail, does right work get full marks, are verdicts the same twice?

`verification` runs the parts for a lab; most of them drive versions of it in warm sandboxes (`work`, `warm_sandbox`).
Nothing is imported here: `variants` is of use where the authors' packages are not installed.
"""
