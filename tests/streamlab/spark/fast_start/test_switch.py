"""With the switch off, Spark starts as PySpark starts it: slower, but as silent and with the same results."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from streamlab.spark import fast_start
from streamlab.spark.jvm import ROOT

LIMIT_S = 120.0
PLAIN = """
import psutil
from streamlab import session, streaming
spark = session("plain")
context = spark.sparkContext
assert spark.range(1000).selectExpr("sum(id)").first()[0] == 499500
counts = context.parallelize(["a b", "a"], 2).flatMap(str.split).map(lambda word: (word, 1)).reduceByKey(int.__add__)
assert dict(counts.collect()) == {"a": 2, "b": 1}
seen = []
with streaming(spark, 0.2) as stream:
    stream.queueStream([context.parallelize(["a"])]).foreachRDD(lambda rdd: seen.extend(rdd.collect()))
    stream.start()
    while not seen:
        stream.awaitTerminationOrTimeout(0.05)
java = context._gateway.streamlab_jvm
assert java.process.args[0].endswith("bin/spark-submit")
assert spark.conf.get("spark.python.daemon.module", None) is None
assert spark.conf.get("spark.driver.host") == "127.0.0.1"
command = " ".join(psutil.Process(java.process.pid).cmdline())
assert "PythonGatewayServer" in command or "pyspark-shell" in command, command
assert "SharedArchiveFile" not in command
print(java.folder)
"""


@pytest.mark.parametrize(("value", "on"), [(None, True), ("1", True), ("", True), ("0", False)])
def test_the_fast_start_is_on_unless_set_to_0(monkeypatch: pytest.MonkeyPatch, value: str | None, on: bool) -> None:
    monkeypatch.delenv(fast_start.SWITCH, raising=False)
    if value is not None:
        monkeypatch.setenv(fast_start.SWITCH, value)

    assert fast_start.is_on() == on


@pytest.mark.slow
def test_a_plain_session_works_silently_and_leaves_no_files(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), fast_start.SWITCH: "0"}

    ran = subprocess.run(
        [sys.executable, "-c", PLAIN], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT_S
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert not Path(ran.stdout.strip()).exists()
    assert list(tmp_path.iterdir()) == []
