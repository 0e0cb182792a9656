"""The judging of Lab 4: windows, joins, subqueries, balancers, and the same query on Spark."""
