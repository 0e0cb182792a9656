"""Consumers that crash: consume, deduplicate."""
