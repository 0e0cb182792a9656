"""The experiments of Lab 8; `autograder.cli.experiment` runs the long ones."""
