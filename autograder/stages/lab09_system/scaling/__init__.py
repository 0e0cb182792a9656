"""Judges `Autoscaler`: how many instances run, and on which workers."""
