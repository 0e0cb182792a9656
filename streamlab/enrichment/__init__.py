"""What Lab 6 is given: payments and what is known of accounts, stores that answer, distance, log lines and models.

What is left to the reader of Lab 6: how payments are enriched, caches, windows, classification.
"""

from streamlab.enrichment.events import (
    KINDS,
    NO_ANSWER,
    Enriched,
    Key,
    NoAnswer,
    StoreError,
    Transaction,
    enriched,
)
from streamlab.enrichment.histories import AccountState, Change, Version

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
