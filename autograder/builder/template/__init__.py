"""The lab that `./lab new` copies: complete, small, and in the form that every lab has.

`lab00_sample`, `sample`, `Lab 0` and `Title of the lab` stand for what the author chooses; nothing else is replaced.
"""
