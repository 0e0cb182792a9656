"""The interface to nbgrader: its settings, how it collects and reads submissions, and the gradebook with the verdicts.

No code of a submission runs here; `autograder.judge` runs it in the sandbox.
"""
