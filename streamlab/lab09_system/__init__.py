"""What Lab 9 provides: the words of the complete system, its sources, its log of alerts, its store, and its programs.

Readers of Lab 9 write the rest: routing, alerts, exactly-once writing, a circuit breaker, scaling, restarts, levels.
"""

from streamlab.lab06_enrichment import NO_ANSWER, StoreError
from streamlab.lab08_geofencing.geo import Change, Position
from streamlab.lab09_system.records import limit_of, order_of, read_payment
from streamlab.lab09_system.words import (
    ADVANCE_MS,
    FRESH_MS,
    REPEAT_MS,
    WINDOW_MS,
    Alert,
    CannotScale,
    Dead,
    Fenced,
    Incident,
    LogError,
    Objective,
    Order,
    Packed,
    Payment,
    Record,
    Report,
    RestartRules,
    Sample,
    ScaleRules,
    Size,
    Stage,
)

__all__ = [
    "ADVANCE_MS",
    "FRESH_MS",
    "NO_ANSWER",
    "REPEAT_MS",
    "WINDOW_MS",
    "Alert",
    "CannotScale",
    "Change",
    "Dead",
    "Fenced",
    "Incident",
    "LogError",
    "Objective",
    "Order",
    "Packed",
    "Payment",
    "Position",
    "Record",
    "Report",
    "RestartRules",
    "Sample",
    "ScaleRules",
    "Size",
    "Stage",
    "StoreError",
    "limit_of",
    "order_of",
    "read_payment",
]
