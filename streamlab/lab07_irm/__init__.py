"""A small HarmonicIO: the transport around a learner's master, and clusters that run on it or in virtual time."""
