"""nbgrader's side: its settings, how it collects and reads submissions, the gradebook that verdicts are recorded in.

Keeps out: judging, what is kept of a class (autograder.grading). Nothing of a submission is run here.
"""
