"""Windows and their aggregates: window_starts, aggregate_function, Aggregate."""
