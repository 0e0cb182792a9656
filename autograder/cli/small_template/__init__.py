"""What `./lab new --small` puts in place of the files of the full form; `small_lab` says which of those stay.

`lab00_sample`, `sample`, `Lab 0` and `Title of the lab` are placeholders; nothing else is replaced.
"""
