"""Support for programs in Java: a Java, a cache for expensive lookups, and jars that are not in pyspark.

`streamlab.services` and `streamlab.spark` build on this package, and not on each other.
"""


class MissingPrerequisite(RuntimeError):
    """A prerequisite is missing and could not be fetched; the message is one line: what, why, and the next step."""
