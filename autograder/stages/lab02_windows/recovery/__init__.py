"""A job that survives its end: `recoverable_counts`."""
