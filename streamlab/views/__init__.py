"""Output for learners: plots, maps, a live view of a stream, the metrics of its batches."""
