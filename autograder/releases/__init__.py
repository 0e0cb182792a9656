"""Carries work from release to release.

`notebook_with_answers` puts answers into a released notebook, for `./lab update` and for nbgrader's records.
`old_notebook` reads an older notebook, `carry_over` decides what of it is carried over, and `moved_modules` finds
imports of modules that have another name now.
"""
