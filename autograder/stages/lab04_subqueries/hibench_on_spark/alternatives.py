"""Other correct solutions of `hibench_on_spark`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Aggregations in SQL expressions.
@alternative("in_sql")
def hibench_on_spark(workload, visits, instances):
    if workload not in ("identity", "repartition", "wordcount", "fixwindow"):
        raise ValueError(f"no workload {workload!r}")
    if workload == "identity":
        return visits.select("*")
    if workload == "repartition":
        return visits.repartition(instances)
    if workload == "wordcount":
        return visits.groupBy("word").agg(F.expr("count(1) AS count"))
    windows = visits.withWatermark("time", "10 seconds").groupBy("ip", F.expr("window(time, '30 seconds') AS w"))
    counted = windows.agg(F.expr("count(1) AS count"), F.expr("min(time) AS first"), F.expr("max(time) AS last"))
    return counted.selectExpr("ip", "count", "first", "last", "w.end AS end")
