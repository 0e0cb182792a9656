"""The loop around all parts: `Manager`."""
