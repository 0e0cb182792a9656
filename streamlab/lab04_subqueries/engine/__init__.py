"""A small engine for continuous queries: rows, operators, queries, and the ways to run them.

Readers of Lab 4 write the rest: windows, joins, the split into subqueries, balancers and inboxes.
"""

from streamlab.lab04_subqueries.engine.central_run import centralized
from streamlab.lab04_subqueries.engine.instance import Instance
from streamlab.lab04_subqueries.engine.messages import Message, Plan
from streamlab.lab04_subqueries.engine.operators import Demux, Filter, Map, Numbered, Operator, Union
from streamlab.lab04_subqueries.engine.query import Node, Query, Subquery
from streamlab.lab04_subqueries.engine.rows import END_MS, START_MS, Arrival, Row, in_order, order_of
from streamlab.lab04_subqueries.engine.windows import AggregateFunction, SizeWindow, TimeWindow

__all__ = [
    "END_MS",
    "START_MS",
    "AggregateFunction",
    "Arrival",
    "Demux",
    "Filter",
    "Instance",
    "Map",
    "Message",
    "Node",
    "Numbered",
    "Operator",
    "Plan",
    "Query",
    "Row",
    "SizeWindow",
    "Subquery",
    "TimeWindow",
    "Union",
    "centralized",
    "in_order",
    "order_of",
]
