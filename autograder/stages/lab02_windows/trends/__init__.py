"""The topics of tweets: `hashtags`, `trending`, `mentions`."""
