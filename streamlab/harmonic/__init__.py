"""HarmonicIO, small: a transport around the learner's master, and clusters that run on it or in virtual time."""
