"""What is special to a lab: a folder for each, and in it a folder for each group of tasks that belong together."""
