"""Cutting a query into subqueries: split."""
