"""A class: what was handed in, judged and kept, judged again after a check was corrected; its marks and their exports.

Keeps out: judging one submission (autograder.judge), nbgrader (autograder.record), pages (autograder.report).
"""
