"""The parts of a log that are checked one by one: recover_segment, SparseIndex, Segment, SegmentList."""
