"""A job that continues after a crash: `recoverable_counts`."""
