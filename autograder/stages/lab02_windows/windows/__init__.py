"""Windows and state on a running Spark: `windowed_counts`, `running_counts`."""
