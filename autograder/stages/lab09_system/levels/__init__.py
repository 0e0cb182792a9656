"""Judges `service_levels` and `post_mortem`, which say from numbers how well the system ran, and what happened."""
