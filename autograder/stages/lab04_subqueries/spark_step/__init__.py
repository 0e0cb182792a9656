"""A micro-batch of a stateful subquery on Spark: `spark_step`."""
