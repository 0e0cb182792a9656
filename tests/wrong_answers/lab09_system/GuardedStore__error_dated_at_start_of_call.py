# wrong: dates an error when its call began; breaks "Exactly `rest_s` after the last error came, it is half-open"
# caught by: one_call_decides_after_the_rest
class GuardedStore:
    """A store with a circuit breaker. `clock()` is the time in s.

    state: "closed", "open" or "half-open"
    get_many(keys): return {key: row, None (unknown), or NO_ANSWER} for all keys.
    """

    def __init__(
        self, store: Any, trips: int, rest_s: float, clock: Callable[[], float]
    ) -> None:
        if trips < 1:
            raise ValueError("trips must be at least 1")
        if not math.isfinite(rest_s) or rest_s < 0:
            raise ValueError("rest_s must be finite and not negative")
        self._store, self._trips, self._rest_s, self._clock = store, trips, rest_s, clock
        self._errors, self._failed_s = 0, 0.0

    @property
    def state(self) -> str:
        return self._state_at(self._clock())

    def get_many(self, keys: Collection[str]) -> dict[str, Any]:
        if not keys:
            return {}
        now_s = self._clock()
        if self._state_at(now_s) == "open":
            return dict.fromkeys(keys, NO_ANSWER)
        try:
            rows = self._store.get_many(keys)
        except StoreError:
            self._errors += 1
            self._failed_s = now_s
            return dict.fromkeys(keys, NO_ANSWER)
        self._errors = 0
        return {key: rows.get(key) for key in keys}

    def _state_at(self, now_s: float) -> str:
        if self._errors < self._trips:
            return "closed"
        return "open" if now_s < self._failed_s + self._rest_s else "half-open"
