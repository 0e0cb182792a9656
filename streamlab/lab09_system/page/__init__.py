"""The page of the complete system: one message a second from a running system, shown in a browser."""
