"""Run Lab 8's push and contacts on both workers, unchanged, and compare them with plain Python."""

import json
import math
import time
from itertools import combinations
from typing import Any

from streamlab import service, session
from streamlab.lab08_geofencing.experiments.fences import positions, stars
from streamlab.lab08_geofencing.experiments.streams import play
from streamlab.lab08_geofencing.fences import as_geojson
from streamlab.lab08_geofencing.geo import Event, metres
from streamlab.lab08_geofencing.gps_fixes import fixes_of
from streamlab.lab08_geofencing.herd import herd
from streamlab.lab08_geofencing.two_topics import Sent, two_topics
from streamlab.notebooks.labfile import reference_cells
from streamlab.notebooks.loader import load_cells
from streamlab.notebooks.stages import ROOT, send_by_value
from streamlab.sources.topics import ANY_TIME, new_topic, send

LAB, SHARDS, LATENESS_S, FENCES, MOVERS, UPDATES = "lab08_geofencing", 6, 60.0, 200, 300, 6_000
START_MS, EVERY_MS, FAR_MS, PATIENCE_S = 1_700_000_000_000, 100, 1_900_000_000_000, 90.0
DISTANCE_M, WINDOW_S, GAP_S = 5.0, 60, 60

spark = session("ci-geofencing", kafka=True)
parts = load_cells(LAB, reference_cells(ROOT, LAB), module_name="reference_on_the_cluster")
assert not parts.errors, parts.errors
send_by_value("reference_on_the_cluster")


def sent() -> list[Sent]:
    """Return records of fences that are set, moved among positions, and partly deleted; none is late."""
    made, moved = stars("before", FENCES), stars("after", FENCES)
    half_ms, end_ms = START_MS + UPDATES * EVERY_MS // 2, START_MS + UPDATES * EVERY_MS
    found = [Sent.of_text("fences", name, as_geojson(each), START_MS) for name, each in made.items()]
    found += [Sent.of_text("fences", name, as_geojson(each), half_ms) for name, each in moved.items()]
    found += [Sent.of_text("fences", name, None, end_ms) for name in sorted(made)[:20]]
    for each in positions("cluster", UPDATES, MOVERS, EVERY_MS):
        value = json.dumps({"mover": each.mover, "lon": each.lon, "lat": each.lat})
        found.append(Sent.of_text("positions", each.mover, value, START_MS + each.time_ms))
    return found


def of_plain_python(records: list[Sent]) -> list[Event]:
    """Return the events of one Watch that gets all records in time order, changes first."""
    read = [
        parts.read_record(
            each.topic, (each.key or b"").decode(), each.value and each.value.decode(), each.time_ms, number
        )
        for number, each in enumerate(records)
    ]
    watch, events = parts.Watch(), list[Event]()
    for each in sorted(read, key=lambda record: (record.time_ms, hasattr(record, "mover"), record.offset)):
        events += watch.move(each) if hasattr(each, "mover") else watch.change(each)
    return sorted(events)


def pushed() -> None:
    """Compare `push`, which reads two topics of the environment's broker, with plain Python."""
    records, address = sent(), service("kafka").address
    right, found = of_plain_python(records), list[Event]()
    topics = {name: new_topic(address, number, ANY_TIME) for name, number in (("fences", 1), ("positions", 3))}
    closing = Sent.of_text("positions", "closing", '{"mover": "closing", "lon": 0, "lat": 0}', FAR_MS)
    for name, topic in topics.items():
        rows = [each for each in [*records, closing] if each.topic == name]
        send(address, topic, [(row.key, row.value, row.time_ms) for row in rows])

    def keep(batch: Any, _: int) -> None:
        found.extend(Event(*row[:3], round(1000 * row.time.timestamp())) for row in batch.collect())

    events = parts.push(two_topics(spark, address, topics["fences"], topics["positions"]), SHARDS, LATENESS_S)
    running = events.writeStream.outputMode("append").foreachBatch(keep).start()
    deadline_s = time.monotonic() + PATIENCE_S
    while len(found) < len(right) and time.monotonic() < deadline_s:
        time.sleep(0.2)
    running.processAllAvailable()
    running.stop()
    assert sorted(found) == right, f"expected {len(right)} events, got {len(found)}, {len(set(found))} different ones"
    print(f"push: {len(records)} records on {SHARDS} shards, {len(found)} events, each once")


def met() -> None:
    """Compare `contacts` of a herd in half an hour; its lateness is above every delay, so that all fixes count."""
    fixes = herd("cluster", animals=12, minutes=30).fixes
    records = [Sent.of_text("positions", fix.mover, fix.value, fix.time_ms) for fix in fixes]
    value = json.dumps({"mover": "closing", "lon": 0, "lat": 0, "hdop": 1})
    closing = Sent.of_text("positions", "closing", value, FAR_MS)
    half = len(records) // 2
    files = [records[:half], records[half:], [closing]]
    rows = play(spark, files, lambda stream: parts.contacts(fixes_of(stream), DISTANCE_M, WINDOW_S, GAP_S, 600.0)).rows
    found = sorted((r.a, r.b, int(r.begin.timestamp()), int(r.end.timestamp()), r.together_s) for r in rows)
    right = all_contacts(records)
    assert found == right, f"expected {len(right)} contacts, got {len(found)}"
    print(f"contacts: {len(records)} fixes, {len(found)} contacts")


def all_contacts(records: list[Sent]) -> list[tuple[str, str, int, int, int]]:
    """Return the contacts among good fixes, with windows joined if the gap between them is at most GAP_S."""
    windows: dict[tuple[str, str], set[int]] = {}
    read = [(json.loads(each.value or b""), each.time_ms // 1000 // WINDOW_S) for each in records]
    good = [(fix["mover"], window, fix) for fix, window in read if fix["hdop"] <= 5]
    for (one, window, here), (other, its_window, there) in combinations(good, 2):
        if window == its_window and one != other and _distance_m(here, there) <= DISTANCE_M:
            windows.setdefault((min(one, other), max(one, other)), set()).add(window * WINDOW_S)
    found = []
    for pair, begins in windows.items():
        together: list[list[int]] = []
        for begin in sorted(begins):
            if together and begin - (together[-1][-1] + WINDOW_S) <= GAP_S:
                together[-1].append(begin)
            else:
                together.append([begin])
        found += [(*pair, each[0], each[-1] + WINDOW_S, len(each) * WINDOW_S) for each in together]
    return sorted(found)


def _distance_m(here: dict[str, float], there: dict[str, float]) -> float:
    far = math.hypot(here["lon"] - there["lon"], here["lat"] - there["lat"]) > 0.001  # saves most of the time
    return math.inf if far else metres(here["lon"], here["lat"], there["lon"], there["lat"])


for each_part in pushed, met:
    began_s = time.monotonic()
    each_part()
    print(f"  {time.monotonic() - began_s:.1f} s")
spark.stop()
