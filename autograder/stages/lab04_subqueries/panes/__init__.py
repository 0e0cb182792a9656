"""The steps of `Aggregate`: Panes, add_row."""
