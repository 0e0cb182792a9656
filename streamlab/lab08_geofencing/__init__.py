"""What Lab 8 provides: geometry (`geo`), replicas as processes (`replicas`), a herd, fences, and experiments."""
