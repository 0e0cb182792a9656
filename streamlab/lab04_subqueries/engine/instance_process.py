"""One instance as a process: `python -m streamlab.lab04_subqueries.engine.instance_process FOLDER K I ADDRESS`.

It reads its partition record by record, from the first one on, so after a kill and a restart it repeats the same work.
It ends when all of its senders have promised END_MS, or with the process that started it.
"""

import logging
import os
import pickle
import sys
from pathlib import Path

from streamlab.lab04_subqueries.engine.deployment import Deployment
from streamlab.lab04_subqueries.engine.instance import Instance
from streamlab.lab04_subqueries.engine.process_channel import Receiver, Sender, topic_of
from streamlab.lab04_subqueries.engine.rows import END_MS

JOB = "job"


def failure_file(folder: Path, k: int, i: int) -> Path:
    """Return the file to which an instance that fails writes the reason."""
    return folder / f"failure-{k}-{i}.txt"


def work(to: Deployment, k: int, i: int, address: str) -> None:
    """Run instance i of subquery k until its input has ended."""
    subquery, parent = to.subqueries[k], os.getppid()
    inbox, instance = to.Inbox(list(to.senders[k])), Instance(to.query, subquery)
    with (
        Sender(to, to.names[k][i], subquery.outputs, address) as sender,
        Receiver(topic_of(k), i, address) as receiver,
    ):
        while inbox.until_ms < END_MS and os.getppid() == parent:
            for message in receiver.messages():
                ready = inbox.take(message)
                sender.send(instance.run(ready, inbox.until_ms), inbox.until_ms)
            sender.verify()
        sender.flush()


def main(folder: Path, k: int, i: int, address: str) -> None:
    """Run an instance; if it fails, write the reason to its failure file and exit with status 1."""
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    try:
        work(pickle.loads((folder / JOB).read_bytes()), k, i, address)
    except BaseException as problem:
        failure_file(folder, k, i).write_text(f"{type(problem).__name__}: {problem}"[:500], encoding="utf-8")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
