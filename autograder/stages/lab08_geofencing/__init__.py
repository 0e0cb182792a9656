"""Judges Lab 8: geofencing on Spark."""
