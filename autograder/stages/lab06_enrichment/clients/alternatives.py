"""Other right solutions of the clients; each must get full marks."""

from autograder.checks.mutant_markers import alternative


@alternative("with_map")
def enrich_sync(transactions, store):
    return map(lambda each: enriched(each, tuple(map(store.get, each.keys))), transactions)


# A group of tasks: the first exception cancels the others.
@alternative("task_group")
async def look_up(transaction, store, timeout_s):
    async def answer(key):
        try:
            return await asyncio.wait_for(store.get(key), timeout_s)
        except (StoreError, asyncio.TimeoutError):
            return NO_ANSWER

    try:
        async with asyncio.TaskGroup() as group:
            lookups = [group.create_task(answer(key)) for key in transaction.keys]
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    return enriched(transaction, [each.result() for each in lookups])


# A task feeds a queue; a semaphore has one permit for each payment that is taken and not yet yielded.
@alternative("feeder_and_queue")
async def enrich_async(transactions, store, capacity, timeout_s, ordered=True):
    if capacity < 1 or not timeout_s > 0:
        raise ValueError("capacity and timeout_s must be positive")
    places, results, running, end = asyncio.Semaphore(capacity), asyncio.Queue(), set(), object()

    async def lookup(key):
        try:
            return await asyncio.wait_for(store.get(key), timeout_s)
        except (StoreError, asyncio.TimeoutError):
            return NO_ANSWER

    async def one(transaction):
        async with asyncio.TaskGroup() as group:
            lookups = [group.create_task(lookup(key)) for key in transaction.keys]
        return enriched(transaction, [each.result() for each in lookups])

    async def feed():
        source = iter(transactions)
        while True:
            await places.acquire()
            try:
                task = asyncio.ensure_future(one(next(source)))
            except StopIteration:
                break
            running.add(task)
            if ordered:
                results.put_nowait(task)
            else:
                task.add_done_callback(results.put_nowait)
        if not ordered:
            await asyncio.gather(*running, return_exceptions=True)
        results.put_nowait(end)

    feeder = asyncio.ensure_future(feed())
    try:
        while (task := await results.get()) is not end:
            try:
                result = await task
            except ExceptionGroup as several:
                raise several.exceptions[0] from None
            running.discard(task)
            yield result
            places.release()
    finally:
        for each in (feeder, *running):
            each.cancel()
        await asyncio.gather(feeder, *running, return_exceptions=True)


@alternative("collected_in_a_list")
def enrich_batched(transactions, store, batch):
    if batch <= 0:
        raise ValueError("a batch has at least one transaction")
    taken = []

    def answered():
        rows = store.get_many({key for each in taken for key in each.keys})
        return [enriched(each, [rows.get(key) for key in each.keys]) for each in taken]

    for transaction in transactions:
        taken.append(transaction)
        if len(taken) >= batch:
            yield from answered()
            taken = []
    if taken:
        yield from answered()
