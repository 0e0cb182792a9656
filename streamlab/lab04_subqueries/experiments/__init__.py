"""The experiments of Lab 4."""
