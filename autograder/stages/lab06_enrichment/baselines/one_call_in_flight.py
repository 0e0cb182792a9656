# %% [markdown]
# The same answers, with one call in flight at a time.

# %% role="given"
from streamlab.lab06_enrichment import enriched


# %% task="enrich_async"
async def enrich_async(transactions, store, capacity, timeout_s, ordered=True):
    for transaction in transactions:
        yield enriched(transaction, [await store.get(key) for key in transaction.keys])
