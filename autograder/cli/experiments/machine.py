"""Describes this machine for the file of a measurement."""

import os
from typing import Any


def machine_here() -> dict[str, Any]:
    """Return this machine's cores and memory."""
    return {"cores": os.cpu_count(), "memory_gib": _memory_gib()}


def machine_and_load() -> dict[str, Any]:
    """Return this machine's cores and memory, and its load before the measurement."""
    return machine_here() | {"load_before": round(os.getloadavg()[0], 1)}


def _memory_gib() -> float:
    import psutil

    return round(psutil.virtual_memory().total / 1024**3, 1)
