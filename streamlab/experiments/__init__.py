"""Measurements that take minutes and fill a plot: started by `./lab experiment`, or a small one in a notebook."""
