"""Lines of the API: `tweet_text`, `near`."""
