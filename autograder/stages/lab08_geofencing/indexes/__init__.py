"""Indexes: `FenceIndex` and `MoverIndex`."""
