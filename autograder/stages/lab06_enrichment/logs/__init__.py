"""Judges `classify_logs`, which labels log lines with models."""
