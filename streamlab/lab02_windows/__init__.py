"""What Lab 2 provides: tweets and their server, moods of words, a board of trends, a job that restarts after a kill."""

from streamlab import at_first_use

_HOME_OF = {
    "BOSTON": "places",
    "Place": "places",
    "RestartedJob": "restarted_job",
    "TweetMix": "tweet_timeline",
    "TweetServer": "tweet_server",
    "lexicon": "sentiment",
    "live_board": "board",
    "mood": "sentiment",
    "recorded_tweets": "tweet_server",
    "tweet_arrivals": "tweet_stream",
    "tweet_texts": "cleaned_texts",
    "tweets": "tweet_stream",
}

__all__ = sorted(_HOME_OF)
__getattr__ = at_first_use(__name__, _HOME_OF)
