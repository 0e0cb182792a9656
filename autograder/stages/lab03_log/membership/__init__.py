"""Who is in a group: Membership, on a real ZooKeeper."""
