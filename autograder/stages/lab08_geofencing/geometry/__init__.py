"""Geometry: `contains` and `read_record`."""
