"""What a learner looks at: plots, a live view of a stream, the figures of its batches."""
