"""Judges `InstanceManager`: managers that run the instances placed on them, on a real ZooKeeper."""
