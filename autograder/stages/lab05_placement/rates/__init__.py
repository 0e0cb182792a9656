"""Judges `byte_rates`: the metric server's rates, computed as a Spark job."""
