"""Judges `cpus` and `read_topology`, which read a machine's topology from Linux."""
