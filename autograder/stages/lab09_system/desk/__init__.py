"""Judges `Desk`, which finds the alerts of one shard."""
