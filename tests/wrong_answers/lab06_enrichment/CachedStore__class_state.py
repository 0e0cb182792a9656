# wrong: open calls are shared by all CachedStores; breaks "CachedStore(store, cache)": the store of this object is asked
# caught by: callers_who_wait_for_one_key_share_one_call
class CachedStore:
    _open = {}

    def __init__(self, store: AsyncStore, cache: Any) -> None:
        self._store, self._cache, self._missing = store, cache, object()

    async def get(self, key):
        row = self._cache.get(key, self._missing)
        if row is not self._missing:
            return row
        if key not in self._open:
            self._open[key] = asyncio.create_task(self._ask(key))
        return await asyncio.shield(self._open[key])

    async def _ask(self, key):
        try:
            row = await self._store.get(key)
            self._cache.put(key, row)
            return row
        finally:
            del self._open[key]
