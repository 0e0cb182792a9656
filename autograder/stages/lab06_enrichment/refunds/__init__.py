"""Judges `with_refunds`: two streams joined on Spark."""
