"""Managers that run what is placed on them, on a real ZooKeeper: `InstanceManager`."""
