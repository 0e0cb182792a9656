"""Another right solution of `SharedCache`; it must get full marks."""

from autograder.checks.mutant_markers import alternative


# Names contain the length of each part; a value begins with "=" if the key is known; psetex stores it.
@alternative("names_with_lengths")
class SharedCache:
    def __init__(self, client, store, ttl_s, rest_s=1.0, clock=time.monotonic):
        if ttl_s <= 0 or math.isinf(ttl_s) or rest_s < 0:
            raise ValueError(ttl_s, rest_s)
        self._client, self._store, self._ttl_ms = client, store, int(ttl_s * 1000) or 1
        self._rest_s, self._clock, self._failed_at = rest_s, clock, None

    def get(self, key):
        return self.get_many((key,)).get(key)

    def get_many(self, keys):
        keys = list(keys)
        if not keys:
            return {}
        found = {}
        if self._is_up():
            try:
                with self._client.pipeline(transaction=True) as pipe:
                    for key in keys:
                        pipe.get(self._name(key))
                    found = {key: text for key, text in zip(keys, pipe.execute(), strict=True) if text}
            except redis.RedisError:
                self._failed_at = self._clock()
        rows = {key: text[1:] for key, text in found.items() if text[0] == "="}
        if missing := [key for key in keys if key not in found]:
            fresh = self._store.get_many(missing)
            rows.update(fresh)
            if self._is_up():
                self._keep({key: f"={fresh[key]}" if key in fresh else "-" for key in missing})
        return rows

    def forget(self, keys):
        if not keys:
            return True
        try:
            self._client.unlink(*[self._name(key) for key in keys])
        except redis.RedisError:
            return False
        return True

    def _is_up(self):
        return self._failed_at is None or self._clock() - self._failed_at >= self._rest_s

    def _keep(self, texts):
        try:
            pipe = self._client.pipeline()
            for key, text in texts.items():
                pipe.psetex(self._name(key), self._ttl_ms, text)
            pipe.execute()
        except redis.RedisError:
            self._failed_at = self._clock()

    def _name(self, key):
        return "".join(f"{len(part)}:{part}" for part in key)
