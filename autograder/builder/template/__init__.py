"""The lab that `./lab new` copies: complete, small, and with the structure of every lab.

`lab00_sample`, `sample`, `Lab 0` and `Title of the lab` are placeholders; nothing else is replaced.
"""
