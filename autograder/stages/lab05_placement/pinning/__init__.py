"""Pinning the threads of a process: pin."""
