"""Judges the indexes: `FenceIndex` and `MoverIndex`."""
