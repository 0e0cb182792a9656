"""Where lost instances go: `heal`."""
