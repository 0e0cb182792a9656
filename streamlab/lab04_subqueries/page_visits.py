"""Page visits to play: HiBench's record *uservisits*, with the skew that HiBench's own data lacks.

HiBench draws addresses uniformly from 4.2 billion, so nearly every group has one row. Here a closed set of addresses
follows Zipf's law.
"""

import random
from typing import Any

WORDS = ["stream", "window", "join", "state", "key", "time", "late", "batch", "log", "offset", "lag", "node"]
PAGES = 50


def visits(
    seed: object, rows: int, rate_per_s: float = 100.0, zipf: float = 1.0, ips: int = 500
) -> list[dict[str, Any]]:
    """Return `rows` visits in order of time, with the fields t (ms), ip, url, word and duration_s.

    rate_per_s: visits per second on average; gaps are exponential, so several visits can have the same t.
    zipf: the address of rank r has the weight r ** -zipf; 0 gives all addresses the same weight.
    Raises ValueError unless rows >= 0, rate_per_s > 0, zipf >= 0 and ips >= 1. Equal arguments give equal visits.

    Example: visits(1, rows=1) -> [{"t": 1, "ip": "10.0.0.7", "url": "/page/3", "word": "key", "duration_s": 12}]
    """
    if rows < 0 or rate_per_s <= 0 or zipf < 0 or ips < 1:
        got = f"{rows}, {rate_per_s}, {zipf}, {ips}"
        raise ValueError(f"expected rows >= 0, rate_per_s > 0, zipf >= 0 and ips >= 1, got {got}")
    rng, time_s, made = random.Random(f"{seed}/visits"), 0.0, []
    addresses = [f"10.0.{rank // 256}.{rank % 256}" for rank in range(ips)]
    weights = [rank**-zipf for rank in range(1, ips + 1)]
    for ip in rng.choices(addresses, weights, k=rows):
        time_s += rng.expovariate(rate_per_s)
        url, word = f"/page/{rng.randrange(PAGES)}", rng.choice(WORDS)
        made.append({"t": int(time_s * 1000), "ip": ip, "url": url, "word": word, "duration_s": rng.randint(1, 60)})
    return made
