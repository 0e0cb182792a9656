"""Record what the judge found: nbgrader's gradebook, feedback, class page, exports.

Keeps out: judging (autograder.judge). Nothing of a submission is run here.
"""
