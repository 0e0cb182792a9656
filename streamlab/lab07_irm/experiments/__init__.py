"""The experiments of Lab 7; `autograder.cli.experiment` runs the long ones."""
