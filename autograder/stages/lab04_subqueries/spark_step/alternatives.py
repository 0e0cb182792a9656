"""Other correct solutions of `spark_step`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Grouped by Spark, in the partitions of the owners.
@alternative("grouped_by_key")
def spark_step(make, state, arrivals, until_ms, bucket, owners):
    kept = state.partitionBy(owners.instances, owners).mapValues(lambda each: ("state", each))
    tagged = arrivals.map(lambda arrival: (bucket(arrival), ("row", arrival)))
    together = kept.union(tagged.partitionBy(owners.instances, owners)).groupByKey(owners.instances, owners)

    def step(values):
        instance, rows = make(), []
        for kind, each in values:
            if kind == "state":
                instance.state = each
            else:
                rows.append(each)
        left = instance.run(sorted(rows, key=order_of), until_ms)
        return instance.state, left

    return together.mapValues(step)
