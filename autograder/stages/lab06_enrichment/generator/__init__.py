"""Judges `waiting_ms`: how long messages wait in the paper's load generator."""
