"""Everything about judging one lab, a folder a lab."""
