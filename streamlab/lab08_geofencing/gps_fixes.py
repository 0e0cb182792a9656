"""Fixes of collars as typed columns, from the records of a topic of positions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

HDOP_MAX = 5.0
FIELDS = "mover string, lon double, lat double, hdop double"


def fixes_of(records: "DataFrame", hdop_max: float = HDOP_MAX) -> "DataFrame":
    """Return (mover, time, lon, lat) from records with the columns of Kafka's source, without starting a query.

    `time` is the record's timestamp. `hdop` (horizontal dilution of precision) measures how well the satellites are
    spread over the sky: above 5, a fix can be off by tens of metres. The result leaves out fixes with a larger or no
    `hdop`, and records that are unreadable, have a key other than `mover`, or lie outside of ±180 and ±90 degrees. It
    also leaves out fences, since they have no `mover`. A longitude of 180 becomes -180.

    Raises ValueError if a column is missing, or if `hdop_max` is not positive.
    Example: fixes_of(two_topics(spark, kafka.address, "fences", "positions"))
    """
    from pyspark.sql import functions as F

    missing = {"key", "value", "timestamp"}.difference(records.columns)
    if missing:
        raise ValueError(f"fixes_of: expected the columns of Kafka's source, {', '.join(sorted(missing))} missing")
    if not hdop_max > 0:
        raise ValueError(f"fixes_of: expected a positive hdop_max, got {hdop_max}")
    parsed = F.from_json(F.col("value").cast("string"), FIELDS).alias("fix")
    typed = records.select(F.col("key").cast("string").alias("key"), F.col("timestamp").alias("time"), parsed)
    fix = typed.select("key", "time", "fix.*")
    valid = fix.where("mover = key AND mover != '' AND hdop >= 0").where(F.col("hdop") <= hdop_max)
    placed = valid.where("lon BETWEEN -180 AND 180 AND lat BETWEEN -90 AND 90")
    east = F.when(F.col("lon") == 180, F.lit(-180.0)).otherwise(F.col("lon")).alias("lon")
    return placed.select("mover", "time", east, "lat")
