"""The judging of `deliver`."""
