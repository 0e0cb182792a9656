"""Notebooks and percent sources: read their cells, load their tasks, check them where they are written."""
