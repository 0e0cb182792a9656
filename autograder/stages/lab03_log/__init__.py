"""How Lab 3 is judged: what its tasks are fed with, what should come out, and what must not pass."""
