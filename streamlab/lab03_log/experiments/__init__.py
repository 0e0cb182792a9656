"""The experiments of Lab 3; `autograder.cli.experiment` runs the long ones."""
