"""What Lab 6 provides: payments, reference rows of accounts, stores at a distance, log lines, and models.

Readers of Lab 6 write the rest: enrichment, caches, windows and classification.
"""

from streamlab.lab06_enrichment.events import (
    KINDS,
    NO_ANSWER,
    Enriched,
    Key,
    NoAnswer,
    StoreError,
    Transaction,
    enriched,
)
from streamlab.lab06_enrichment.histories import AccountState, Change, Version

__all__ = [
    "KINDS",
    "NO_ANSWER",
    "AccountState",
    "Change",
    "Enriched",
    "Key",
    "NoAnswer",
    "StoreError",
    "Transaction",
    "Version",
    "enriched",
]
