"""Judges `Orchestrator`: leaders that place instances, die at any write and wake up late, on a real ZooKeeper."""
