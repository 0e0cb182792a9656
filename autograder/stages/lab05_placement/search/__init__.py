"""Where instances go: cost, swap_gain, place, throughput."""
