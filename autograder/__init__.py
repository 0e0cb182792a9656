"""Build, check, judge and report the labs of StreamLab."""
