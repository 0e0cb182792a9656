"""Writes the tasks that a learner has solved as a package of their own, with tests, a README and a program.

`selection` finds the code that these tasks need, `recorded` makes tests of public cases, and `folder` writes the files.
Nothing comes from a reference solution: the code is the learner's and the notebook's.
"""

PACKAGE = "streaming_system"  # the name of what is imported
