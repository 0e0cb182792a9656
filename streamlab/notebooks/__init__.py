"""Notebooks and percent sources: read their cells, load their tasks, check the tasks in a running notebook."""
