"""Other right solutions of `byte_rates`; each must get full marks."""

from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative


# In SQL.
@alternative("in_sql")
def byte_rates(reports):
    return reports.sparkSession.sql(
        """
        SELECT sender, receiver, SUM(growth) * 1000D / (MAX(at_ms) - MIN(at_ms)) AS bytes_per_s
        FROM (
            SELECT *, CASE WHEN total_bytes < before THEN total_bytes ELSE total_bytes - before END AS growth
            FROM (
                SELECT *, LAG(total_bytes) OVER (PARTITION BY sender, receiver ORDER BY at_ms) AS before
                FROM (SELECT DISTINCT * FROM {reports})
            )
        )
        GROUP BY sender, receiver
        HAVING MAX(at_ms) > MIN(at_ms)
        """,
        reports=reports,
    )


# Spark walks through all reports of a pair in one list.
@alternative("lists_of_reports", task="byte_rates")
def byte_rates(reports):
    lists = reports.groupBy("sender", "receiver").agg(
        F.array_sort(F.collect_set(F.struct("at_ms", "total_bytes"))).alias("all")
    )
    several = lists.where(F.size("all") > 1)
    steps = F.zip_with(
        F.slice("all", 2, F.size("all") - 1),
        F.slice("all", 1, F.size("all") - 1),
        lambda now, before: F.when(now.total_bytes < before.total_bytes, now.total_bytes).otherwise(
            now.total_bytes - before.total_bytes
        ),
    )
    grown = F.aggregate(steps, F.lit(0).cast("long"), lambda total, step: total + step)
    seconds = (F.element_at("all", -1).at_ms - F.element_at("all", 1).at_ms) / 1000
    return several.select("sender", "receiver", (grown / seconds).alias("bytes_per_s"))
