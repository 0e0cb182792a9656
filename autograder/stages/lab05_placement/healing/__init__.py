"""Judges `heal`, which places lost instances."""
