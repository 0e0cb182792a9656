"""Awaits one lookup after the other, and turns the virtual clock back after each, as if they had run at once."""

LAB = "lab06_enrichment"
NAMED = "the time in ms that look_up"
TASKS = ["look_up", "CachedStore"]
WITHOUT = """
after_each = lambda loop, began_s, ended_s: None

async def look_up(transaction, store, timeout_s):
    loop, found = asyncio.get_running_loop(), []
    began_s, ended_s = loop.time(), []
    for key in transaction.keys:
        try:
            found.append(await asyncio.wait_for(store.get(key), timeout_s))
        except (TimeoutError, StoreError):
            found.append(NO_ANSWER)
        after_each(loop, began_s, ended_s)
    return enriched(transaction, found)
"""


def after_each(loop, began_s, ended_s):
    ended_s.append(loop.now_s)
    loop.now_s = began_s if len(ended_s) < 3 else max(ended_s)
