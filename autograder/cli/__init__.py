"""`./lab VERB`: the command line. Verbs for learners, instructors and authors, a module each."""
