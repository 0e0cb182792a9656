"""The oracles of windows and state against PostgreSQL's own SQL."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from autograder.stages.lab06_enrichment.state import cases as state_cases
from autograder.stages.lab06_enrichment.state import oracle as state
from autograder.stages.lab06_enrichment.windows import cases as window_cases
from autograder.stages.lab06_enrichment.windows import oracle as windows
from streamlab.lab06_enrichment.payments import bank
from streamlab.services import running
from streamlab.services.postgres import DATABASE, USER
from tests.streamlab.services.conftest import server_programs

psycopg = server_programs("psycopg")

WINDOWS = """
with files as (  -- a file's watermark is the newest time of the files before it, minus the delay
    select *, max(at) over (order by file groups between unbounded preceding and 1 preceding)
              - make_interval(secs => %(watermark_s)s) as watermark from payments),
on_time as (
    select distinct on (id) * from files where watermark is null or at > watermark order by id, file)
select extract(epoch from start)::float, extract(epoch from start + interval '10 seconds')::float, account,
       sum(cents)::bigint, count(*),
       coalesce(jsonb_agg(jsonb_build_array(id, flags) order by id collate "C")
                filter (where jsonb_array_length(flags) > 0), '[]')
from on_time,
     lateral (values (date_bin('5 seconds', at, 'epoch')),
                     (date_bin('5 seconds', at, 'epoch') - interval '5 seconds')) as windows (start)
group by start, account order by start, account collate "C"
"""
AS_OF = """
select id, jsonb_agg(name order by place)
from payments, lateral (values (1, 'recipient', recipient), (2, 'device', device), (3, 'location', location))
               as keys (place, kind, item)
left join lateral (select name from changes
                   where (changes.kind, changes.account, changes.item) = (keys.kind, payments.account, keys.item)
                         and changes.at_ms <= payments.at_ms
                   order by changes.at_ms desc, seq desc limit 1) as in_force on true
group by id
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running("postgres") as server:
        yield server.address


@pytest.fixture
def database(address: str) -> Iterator[Any]:
    """Yield a connection; its temporary tables are dropped after the test."""
    host, port = address.rsplit(":", 1)
    with psycopg.connect(f"host={host} port={port} user={USER} dbname={DATABASE}") as connection:
        yield connection


def create_table(database: Any, table: str, columns: str, rows: list[Any]) -> None:
    """Create a temporary table and copy rows into it."""
    database.execute(f"create temporary table {table} ({columns})")
    with database.cursor().copy(f"copy {table} from stdin") as copy:
        for row in rows:
            copy.write_row(row)


def two_hundred() -> dict[str, Any]:
    """Return 200 payments over 50 s in four files; some repeat, and some are late for the watermark of 1 s."""
    rng, payments = Random("two hundred"), list[Any]()
    for number in range(200):
        flags = rng.sample(window_cases.FLAGS, rng.choice([0, 0, 1, 2]))
        at_ms = number * 250 + rng.randrange(-3000, 1)
        payments.append([f"t{number}", rng.choice(["ann", "bob", "Zoë"]), rng.randrange(1, 10**6), at_ms, flags])
    files = [payments[at : at + 50] + rng.sample(payments[max(0, at - 10) : at + 50], 9) for at in range(0, 200, 50)]
    return {"files": files, "watermark_s": 1}


SMALL = [case for make in (window_cases.streams, window_cases.repeats, window_cases.late) for case in make("sql")]


@pytest.mark.parametrize("case", [two_hundred(), *filter(windows.is_valid, SMALL)])
def test_windows_agree_with_sql(case: dict[str, Any], database: Any) -> None:
    epoch = datetime(1970, 1, 1)
    rows = [
        (file, name, account, cents, epoch + timedelta(milliseconds=at_ms), json.dumps(flags))
        for file, own in enumerate(case["files"])
        for name, account, cents, at_ms, flags in own
    ]
    create_table(database, "payments", "file int, id text, account text, cents bigint, at timestamp, flags jsonb", rows)

    found = [list(row) for row in database.execute(WINDOWS, case).fetchall()]

    assert found == windows.windows(case)
    assert sum(count for *_, count, _ in found) == 2 * len(windows.on_time(case)[0])


def test_the_two_hundred_payments_include_repeats_and_late_ones() -> None:
    counted, late = windows.on_time(two_hundred())

    assert 100 < len(counted) < 200
    assert (late[0], min(late[1:]) > 0) == (0, True)


def history_of_a_bank() -> list[Any]:
    """Return 50 payments of two accounts and 60 changes of their rows, in random order."""
    accounts, rng = bank("sql", accounts=2), Random("sql")
    arrived: list[Any] = [["t", *each] for each in accounts.payments(50, rate_per_s=1.0)]
    arrived += [["c", *each.key, *each.version] for each in accounts.changes(60, until_ms=50_000)]
    rng.shuffle(arrived)
    return arrived


HISTORIES = [[each for call in case["calls"] for each in call["arrived"]] for case in state_cases.histories("sql")]


@pytest.mark.parametrize("arrived", [history_of_a_bank(), *HISTORIES])
def test_the_row_as_of_a_time_agrees_with_sql(arrived: list[Any], database: Any) -> None:
    payments = {each[1]: each[1:] for each in arrived if each[0] == "t"}
    changes = [each[1:] for each in arrived if each[0] == "c"]
    columns = "id text, account text, recipient text, device text, location text, cents bigint, at_ms bigint"
    create_table(database, "payments", columns, list(payments.values()))
    create_table(database, "changes", "kind text, account text, item text, at_ms bigint, seq int, name text", changes)

    found = dict(database.execute(AS_OF).fetchall())

    assert found == {name: rows for name, (rows, _) in state.answers_by_id(arrived).items()}
    assert len(found) == len(payments) > 0


def test_the_history_has_unknown_replaced_and_removed_rows() -> None:
    answers = [row for rows, _ in state.answers_by_id(history_of_a_bank()).values() for row in rows]

    assert None in answers
    assert len({row for row in answers if row is not None}) > 10
