"""Wrong versions of `hibench_on_spark`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

SHARES = "repartition_returns_every_row_in_equal_shares"
UNKNOWN = "spark_rejects_an_unknown_workload"
SAME = "words_and_windows_equal_those_of_your_engine"
STATE = "finished_windows_leave_the_state"

reference("hibench_on_spark")

# A partition for each ip: a busy ip gets a large partition.
mutant("repartitioned_by_ip", SHARES, ("repartition(instances)", 'repartition(instances, "ip")'))
mutant(
    "unknown_is_identity",
    UNKNOWN,
    ('case "identity":', 'case _ if workload not in ("repartition", "wordcount", "fixwindow"):'),
)
# As in HiBench: windows of processing time.
mutant(
    "windows_by_arrival",
    [SAME, STATE],
    (
        "visits.withWatermark",
        'visits.withColumn("seen", F.col("time")).withColumn("time", F.current_timestamp()).withWatermark',
    ),
)
# As in HiBench: no watermark.
mutant("no_watermark", STATE, ('.withWatermark("time", "10 seconds")', ""))
