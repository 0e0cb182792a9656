"""What all programs in Java need: a Java, a cache for what is costly to find out, jars that are not in pyspark.

It lies below `streamlab.services` and `streamlab.spark`, which do not know each other.
"""


class MissingPrerequisite(RuntimeError):
    """Something is not on this machine and could not be had; one line that says what, why, and the next step."""
