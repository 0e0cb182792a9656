"""Judges `throughput`, the model of the rate that a placement allows."""
