# wrong: a time to live of NaN is accepted; breaks "Raises ValueError unless … ttl_s > 0"
# caught by: invalid_sizes_and_times_to_live_raise_value_error
class LruCache:
    def __init__(self, entries: int, ttl_s: float = math.inf, clock: Callable[[], float] = time.monotonic) -> None:
        if not entries >= 1 or ttl_s <= 0:
            raise ValueError(f"entries {entries}, ttl_s {ttl_s}")
        self.entries, self.ttl_s, self.clock = entries, ttl_s, clock
        self.hits = self.misses = 0
        self._kept = OrderedDict()

    def __len__(self):
        return len(self._kept)

    def get(self, key, default=None):
        found = self._kept.get(key)
        if found is not None and self.clock() < found[1]:
            self._kept.move_to_end(key)
            self.hits += 1
            return found[0]
        self._kept.pop(key, None)
        self.misses += 1
        return default

    def put(self, key, value):
        self._kept[key] = value, self.clock() + self.ttl_s
        self._kept.move_to_end(key)
        if len(self._kept) > self.entries:
            self._kept.popitem(last=False)
