"""The command line `./lab VERB`, with verbs for learners, instructors and authors in separate modules."""
