"""The same on Spark: `cell_counts`, and the executors of `SparkScaler`."""
