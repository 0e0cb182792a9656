"""Drive an inbox with single messages, with queries in a simulation, and with processes of which one is killed.

Only the inbox is the learner's. The case gives the subqueries and the routes of rows.
"""

from typing import Any

from autograder.inside import drive
from autograder.inside.patience import patient
from autograder.inside.rows import Rows, or_rejected, plain, type_name
from autograder.stages.lab04_subqueries.inbox.drive_queries import CaseParts, query_of
from streamlab.lab04_subqueries.engine import Arrival, Message, centralized
from streamlab.lab04_subqueries.engine.process_run import NoResult, RunFailed, run_in_processes
from streamlab.lab04_subqueries.engine.simulation import Simulation

PATIENCE_S = 10.0


@drive("Inbox")
def inbox(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return the rows that each message releases, or the results of a query, simulated or in processes."""
    if "messages" in case:
        return or_rejected(lambda: {"answers": _answers(stage.Inbox(list(case["senders"])), case["messages"])})
    parts, query = CaseParts(case, stage.Inbox), query_of(case)
    simulation = Simulation(parts, query, case["degrees"], case["seed"], case["batch_rows"])
    rows: Rows = {"results": simulation.run(case["inputs"]), "most_kept": simulation.most_kept}
    if "kill" in case and rows["results"] == centralized(query, case["inputs"]):  # otherwise already wrong
        return _killed(parts, query, case, earlier("lab03_log").PartitionLog)
    return rows


def _killed(parts: CaseParts, query: Any, case: Any, open_log: Any) -> Rows:
    try:
        with patient(PATIENCE_S, NoResult) as limit_s:
            run = run_in_processes(
                parts, query, case["inputs"], case["degrees"], open_log, tuple(case["kill"]), patience_s=limit_s
            )
    except RunFailed as problem:
        return {"failed": str(problem)[:300]}
    return {"results": run.results}


def _answers(inbox: Any, messages: list[Any]) -> list[Rows]:
    """Return, for each message, the rows that leave and the promise after it, or the error."""
    answers = []
    for sender, number, rows, until_ms in messages:
        arrivals = [Arrival(stream, {"t": t, "v": value}) for t, value, stream in rows]
        message = Message(sender, number, arrivals, until_ms)
        answers.append(or_rejected(lambda message=message: _taken(inbox, message)))  # type: ignore[misc]
    return answers


def _taken(inbox: Any, message: Message) -> Rows:
    left = inbox.take(message)
    if not isinstance(left, list | tuple):
        return {"returned": type_name(left)}
    rows = [
        [each.row["t"], each.row["v"], each.stream] if isinstance(each, Arrival) else type_name(each) for each in left
    ]
    return {"left": plain(rows), "until_ms": plain(inbox.until_ms)}
