"""The members of a group: Membership, on a real ZooKeeper."""
