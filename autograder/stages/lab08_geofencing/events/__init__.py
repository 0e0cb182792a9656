"""Judges `Watch` and `in_order`: the state of one shard, and the order in which it processes its rows."""
