"""Wrong versions of the clients, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

FLAGS = "every_transaction_comes_out_once_with_its_flags"
AS_IT_IS = "each_lookup_sees_the_store_as_it_is_at_that_moment"
ORDER = "results_keep_the_order_of_the_input"
AS_DONE = "without_order_a_result_comes_as_soon_as_it_is_done"
CAPACITY = "at_most_capacity_transactions_are_taken_and_not_returned"
TIME = "the_time_is_that_of_capacity_transactions_at_once"
NO_ANSWER_OF = "a_lookup_that_fails_or_takes_too_long_has_no_answer"
RAISED = "an_error_that_is_not_of_the_store_is_raised"
STOPS = "a_reader_who_stops_leaves_nothing_running"
TOGETHER = "the_three_lookups_of_a_payment_run_at_once"
WITHOUT = "a_lookup_without_an_answer_leaves_the_others_theirs"
ENDED = "look_up_leaves_nothing_running"
INVALID = "invalid_capacities_and_timeouts_raise_value_error"
FASTER = "many_calls_in_flight_are_faster_than_one"
LAST = "answers_come_in_order_and_the_last_batch_too"
ONE_CALL = "a_batch_is_one_call_with_each_key_once"
AHEAD = "no_more_than_a_batch_is_taken_ahead"

reference("enrich_sync")

mutant(
    "empty_rows_are_unknown",
    FLAGS,
    ("[store.get(key) for key in transaction.keys]", "[store.get(key) or None for key in transaction.keys]"),
)


@mutant("remembers", AS_IT_IS)
def enrich_sync(transactions, store):
    known = {}
    for transaction in transactions:
        for key in transaction.keys:
            if key not in known:
                known[key] = store.get(key)
        yield enriched(transaction, [known[key] for key in transaction.keys])


# look_up


reference("answer_of")


mutant(
    "errors_of_the_system_are_no_answer",
    ENDED,
    ("except (StoreError, TimeoutError):", "except (StoreError, OSError):"),
    task="look_up",
)


@mutant("one_after_another", [TOGETHER, WITHOUT, ENDED])
async def look_up(transaction, store, timeout_s):
    return enriched(transaction, [await answer_of(key, store, timeout_s) for key in transaction.keys])


# One time-out for all three: whoever is late takes the answers of the others along.
@mutant("one_time_out_for_all", WITHOUT)
async def look_up(transaction, store, timeout_s):
    lookups = [asyncio.create_task(store.get(key)) for key in transaction.keys]
    try:
        async with asyncio.timeout(timeout_s):
            answers = await asyncio.gather(*lookups)
    except (StoreError, TimeoutError):
        answers = [NO_ANSWER] * 3
    finally:
        for lookup in lookups:
            lookup.cancel()
    return enriched(transaction, answers)


reference("enrich_async")

mutant("as_they_are_done", [ORDER, TIME, STOPS, RAISED], ("in_flight[:1] if ordered else in_flight", "in_flight"))
mutant("always_in_order", [AS_DONE, TIME], ("in_flight[:1] if ordered else in_flight", "in_flight[:1]"))


# All payments are taken; a semaphore limits only the lookups.
@mutant("all_taken", [CAPACITY, TIME])
async def enrich_async(transactions, store, capacity, timeout_s, ordered=True):
    if capacity < 1 or not timeout_s > 0:
        raise ValueError
    places = asyncio.Semaphore(capacity)

    async def one(transaction):
        async with places:
            return await look_up(transaction, store, timeout_s)

    tasks = [asyncio.create_task(one(each)) for each in transactions]
    try:
        for done in tasks if ordered else asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# The next payments are taken when a whole chunk is done.
@mutant("chunk_by_chunk", [TIME, AS_DONE])
async def enrich_async(transactions, store, capacity, timeout_s, ordered=True):
    if capacity < 1 or not timeout_s > 0:
        raise ValueError
    source = iter(transactions)
    while chunk := [asyncio.create_task(look_up(each, store, timeout_s)) for each in islice(source, capacity)]:
        try:
            for done in chunk if ordered else asyncio.as_completed(chunk):
                yield await done
        finally:
            for task in chunk:
                task.cancel()
            await asyncio.gather(*chunk, return_exceptions=True)


@mutant("one_transaction_at_a_time", [TIME, AS_DONE, FASTER])
async def enrich_async(transactions, store, capacity, timeout_s, ordered=True):
    if capacity < 1 or not timeout_s > 0:
        raise ValueError
    for transaction in transactions:
        yield await look_up(transaction, store, timeout_s)


# An exception of `look_up` is read as "no answer".
mutant(
    "errors_become_results",
    [RAISED, STOPS],
    (
        "            yield done.result()",
        "            try:\n                yield done.result()\n            except Exception:\n                continue",
    ),
)
mutant("no_time_out", NO_ANSWER_OF, ("look_up(each, store, timeout_s)", "look_up(each, store, 3600)"))
mutant("any_arguments", INVALID, ("if capacity < 1 or not timeout_s > 0:", "if capacity < 0:"))

# enrich_batched


@mutant("last_batch_is_lost", [LAST, AHEAD, ONE_CALL])
def enrich_batched(transactions, store, batch):
    if batch < 1:
        raise ValueError
    taken = []
    for transaction in transactions:
        taken.append(transaction)
        if len(taken) == batch:
            rows = store.get_many(list(dict.fromkeys(key for each in taken for key in each.keys)))
            for each in taken:
                yield enriched(each, [rows.get(key) for key in each.keys])
            taken = []
