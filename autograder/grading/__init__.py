"""Grade a class on this machine or a cluster, regrade it after a check was corrected, and export the marks.

Does not judge a single submission; `autograder.judge` does.
"""
