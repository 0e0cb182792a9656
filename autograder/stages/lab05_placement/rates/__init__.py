"""The metric server's rates, as a job of Spark: `byte_rates`."""
