"""The settings that an elastic session needs before Spark starts."""

from pathlib import Path

import pytest

from streamlab.spark import elastic
from streamlab.spark.jvm import is_local


def test_an_elastic_master_is_local() -> None:
    assert elastic.master(2, 2) == "local-cluster[2,2,700]"
    assert is_local(elastic.master(1, 3))


@pytest.mark.parametrize(("workers", "cores"), [(0, 2), (2, 0), (-1, 1)])
def test_an_elastic_master_needs_a_worker_and_a_core(workers: int, cores: int) -> None:
    with pytest.raises(ValueError, match="1 worker of 1 core or more"):
        elastic.master(workers, cores)


def test_executors_find_spark_and_write_to_their_own_folder(tmp_path: Path) -> None:
    environment = elastic.environment(tmp_path)

    home = Path(environment["SPARK_HOME"])
    assert home.parent == tmp_path
    assert (home / "jars").is_dir()
    assert not (home / "work").exists()
    assert environment["SPARK_SCALA_VERSION"].startswith("2.")
