"""Other right solutions of `LruCache` and `CachedStore`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# A plain dict keeps the order of insertion, so each use inserts the entry again.
@alternative("a_plain_dict")
class LruCache:
    def __init__(self, entries, ttl_s=math.inf, clock=time.monotonic):
        if entries < 1 or not ttl_s > 0:  # not a number is not above 0
            raise ValueError("no such cache")
        self._entries, self._ttl_s, self._clock, self._kept = entries, ttl_s, clock, {}
        self.hits = self.misses = 0

    def get(self, key, default=None):
        found = self._kept.pop(key, None)
        if found is None or self._clock() - found[1] >= self._ttl_s:
            self.misses += 1
            return default
        self._kept[key] = found
        self.hits += 1
        return found[0]

    def put(self, key, value):
        self._kept.pop(key, None)
        self._kept[key] = value, self._clock()
        while len(self._kept) > self._entries:
            del self._kept[next(iter(self._kept))]

    def __len__(self):
        return len(self._kept)


# Each waiting caller has its own future; the call sets all of them.
@alternative("futures_for_single_flight")
class CachedStore:
    def __init__(self, store, cache):
        self._store, self._cache, self._waiting, self._tasks = store, cache, {}, set()

    async def get(self, key):
        nothing = object()
        row = self._cache.get(key, nothing)
        if row is not nothing:
            return row
        answer = asyncio.get_running_loop().create_future()
        if key in self._waiting:
            self._waiting[key].append(answer)
        else:
            self._waiting[key] = [answer]
            task = asyncio.ensure_future(self._ask(key))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await answer

    async def _ask(self, key):
        try:
            row = await self._store.get(key)
        except Exception as problem:
            for answer in self._waiting.pop(key):
                if not answer.done():
                    answer.set_exception(problem)
            return
        self._cache.put(key, row)
        for answer in self._waiting.pop(key):
            if not answer.done():
                answer.set_result(row)
