"""What Lab 5 provides: machines and their traffic (`numa`), and processes that manage instances (`managers`)."""
