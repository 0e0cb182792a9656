"""Wrong answers to lab06_enrichment that people wrote from its text, each with the checks that catch it."""

from autograder.checks.mutant_markers import mutant, reference

reference("CachedStore")

# Open calls are shared by all CachedStores; breaks "CachedStore(store, cache)": the store of this object is asked
mutant(
    "class_state",
    "callers_who_wait_for_one_key_share_one_call",
    ("    def __init__", "    calls = {}\n\n    def __init__"),
    ("        self.calls: dict[Key, asyncio.Task[str | None]] = {}\n", ""),
)

reference("LruCache")

# A time to live of NaN is accepted; breaks "Raises ValueError unless … ttl_s > 0"
mutant("nan_ttl", "invalid_sizes_and_times_to_live_raise_value_error", ("not ttl_s > 0:", "ttl_s <= 0:"))


# Open calls are kept by the item of a key; breaks "Callers that want one key" (invariant 6)
@mutant("item_only", "callers_who_wait_for_one_key_share_one_call")
class CachedStore:
    def __init__(self, store: AsyncStore, cache: Any) -> None:
        self._store, self._cache, self._open, self._missing = store, cache, {}, object()

    async def get(self, key):
        row = self._cache.get(key, self._missing)
        if row is not self._missing:
            return row
        if key[1:] not in self._open:
            self._open[key[1:]] = asyncio.create_task(self._ask(key))
        return await asyncio.shield(self._open[key[1:]])

    async def _ask(self, key):
        try:
            row = await self._store.get(key)
            self._cache.put(key, row)
            return row
        finally:
            del self._open[key[1:]]
