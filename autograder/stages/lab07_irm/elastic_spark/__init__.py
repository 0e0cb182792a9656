"""Judges the same ideas on Spark: `cell_counts`, and `SparkScaler`, which scales executors."""
