"""The experiments of Lab 6."""
