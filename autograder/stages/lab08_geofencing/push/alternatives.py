"""Other right solutions of `push`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Uses the CRC-32 of the key, decodes text in Python, and stores the state as a string.
@alternative("another_hash")
def push(records, shards, lateness_s):
    schema = "kind string, mover string, fence string, time timestamp"

    def in_shard(key, frames, state):
        import pandas

        kept = pickle.loads(bytes.fromhex(state.get[0])) if state.exists else {"waiting": [], "done": -1, "watch": None}
        read, rows = [], []
        for frame in frames:
            for topic, name, value, offset, time in zip(*(frame[each] for each in COLUMNS), strict=True):
                try:
                    key_text = None if name is None else name.decode(errors="replace")
                    value_text = None if value is None else value.decode()
                    read.append(read_record(topic, key_text, value_text, time, offset))
                except ValueError:
                    if topic != "fences" or key == (shards - 1,):
                        rows.append(("REFUSED", key_text or "", topic, time))
        watch, now = Watch(kept["watch"]), state.getCurrentWatermarkMs()
        ready, kept["waiting"], _ = in_order(kept["waiting"], read, kept["done"], now)
        for each in ready:
            rows.extend((watch.change if isinstance(each, Change) else watch.move)(each))
        kept["done"], kept["watch"] = now, watch.state
        state.update((pickle.dumps(kept).hex(),))
        state.setTimeoutTimestamp(now + 1)
        for kind, mover, fence, time in rows:
            times = [pandas.Timestamp(time, unit="ms")]
            yield pandas.DataFrame({"kind": [kind], "mover": [mover], "fence": [fence], "time": times})

    fences = F.col("topic") == "fences"
    shard = F.when(fences, F.sequence(F.lit(0), F.lit(shards - 1))).otherwise(
        F.array((F.crc32("key") % shards).cast("int"))
    )
    rows = records.withColumn("ms", F.unix_millis("timestamp")).withColumn("shard", F.explode(shard))
    rows = rows.withColumn("at", F.when(F.col("topic") == "positions", F.col("timestamp")))
    grouped = rows.withWatermark("at", f"{lateness_s} seconds").select(*COLUMNS, "at", "shard").groupBy("shard")
    return grouped.applyInPandasWithState(in_shard, schema, "kept string", "append", GroupStateTimeout.EventTimeTimeout)


COLUMNS = ["topic", "key", "value", "offset", "ms"]


# A producer sends all positions of a mover to one partition, so its number can name the shard.
@alternative("the_partition_of_kafka_is_the_shard")
def push(records, shards, lateness_s):
    def in_shard(key, frames, state):
        import pandas as pd

        waiting, done_ms, watched = pickle.loads(state.get[0]) if state.exists else ([], -1, None)
        watch, watermark_ms, arrived, events = Watch(watched), state.getCurrentWatermarkMs(), [], []
        for frame in frames:
            for record in frame[["topic", "key", "value", "time_ms", "offset"]].itertuples(index=False):
                try:
                    arrived.append(read_record(*record))
                except ValueError:
                    if record.topic == "positions" or key == (0,):
                        events.append(("REFUSED", record.key or "", record.topic, record.time_ms))
        ready, waiting, _ = in_order(waiting, arrived, done_ms, watermark_ms)
        for row in ready:
            events += watch.change(row) if isinstance(row, Change) else watch.move(row)
        state.update((pickle.dumps((waiting, watermark_ms, watch.state)),))
        if waiting:
            state.setTimeoutTimestamp(max(watermark_ms + 1, min(row.time_ms for row in waiting)))
        frame = pd.DataFrame(events, columns=["kind", "mover", "fence", "time"])
        yield frame.assign(time=pd.to_datetime(frame["time"], unit="ms"))

    own = F.array(F.col("partition") % shards)
    numbered = F.when(F.col("topic") == "fences", F.array(*[F.lit(each) for each in range(shards)])).otherwise(own)
    rows = records.select(
        "topic",
        F.make_valid_utf8(F.col("key").cast("string")).alias("key"),
        F.make_valid_utf8(F.col("value").cast("string")).alias("value"),
        "offset",
        F.unix_millis("timestamp").alias("time_ms"),
        F.when(F.col("topic") == "positions", F.col("timestamp")).alias("at"),
        F.explode(numbered).alias("shard"),
    )
    grouped = rows.withWatermark("at", f"{lateness_s} seconds").groupBy("shard")
    schema = "kind string, mover string, fence string, time timestamp"
    return grouped.applyInPandasWithState(in_shard, schema, "kept binary", "append", GroupStateTimeout.EventTimeTimeout)
