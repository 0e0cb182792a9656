"""Other right solutions of `enrich_partitioned`; each must get full marks."""

from contextlib import closing

from autograder.checks.mutant_markers import alternative


# The number of the partition is the key; one call fetches the missing keys of a transaction.
@alternative("partition_number_as_key")
def enrich_partitioned(transactions, partitions, partition_of, open_store, open_cache):
    if partitions < 1:
        raise ValueError(partitions)

    def task(pairs):
        with closing(open_store()) as store:
            cache = open_cache()
            for _, each in pairs:
                found = {key: cache.get(key, NO_ANSWER) for key in each.keys}
                missing = [key for key, row in found.items() if row is NO_ANSWER]
                if missing:
                    rows = store.get_many(missing)
                    for key in missing:
                        found[key] = rows.get(key)
                        cache.put(key, found[key])
                yield enriched(each, [found[key] for key in each.keys])

    pairs = transactions.map(lambda each: (partition_of(each.account.encode("utf-8"), partitions), each))
    return pairs.partitionBy(partitions, lambda number: number).mapPartitions(task)
