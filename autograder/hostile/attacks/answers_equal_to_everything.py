"""The comparison in a test cell: an answer that equals whatever it is compared with.

Stock nbgrader compares in the learner's own process: 10 of 10 points. Here a plain list comes out of the sandbox.
"""

NAMED = "yours is []"


class Yes(list):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = None


def words(line):
    return Yes()
