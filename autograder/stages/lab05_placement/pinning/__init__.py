"""Judges `pin`, which pins the threads of a process to cores."""
