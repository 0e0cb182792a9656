"""What people write about: `hashtags`, `trending`, `mentions`."""
