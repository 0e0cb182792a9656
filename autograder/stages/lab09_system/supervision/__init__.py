"""Judges `Supervisor`: leases, restarts with back-off, zombies, crash loops and epochs."""
