"""A look into the store says how it fails: `post_mortem` tells a slow store from one that is not there."""

from streamlab.lab09_system.store import QUICK_MS, TIME_OUT_S, Answer, load, probe
from streamlab.services import running


def test_a_stopped_store_is_late_and_one_that_is_empty_or_killed_fails() -> None:
    with running("redis") as store:
        _, empty = probe(store.address)
        load(store.address, {"ann": 300})
        usual_ms, loaded = probe(store.address)
        store.pause()
        late_ms, stopped = probe(store.address)
        store.kill()
        _, killed = probe(store.address)

    assert (empty, loaded, stopped, killed) == (Answer.FAILS, Answer.ANSWERS, Answer.LATE, Answer.FAILS)
    assert usual_ms >= QUICK_MS
    assert late_ms >= 1000 * TIME_OUT_S >= 10 * QUICK_MS
