"""Judges Lab 5: topology, placement, pinning, rates on Spark, and an orchestrator on ZooKeeper."""
