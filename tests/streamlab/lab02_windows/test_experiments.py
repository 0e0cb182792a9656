"""The recorded hour and the moods of its tweets."""

from streamlab.lab02_windows.experiments import TimedTweet, moods, recorded_hour


def test_no_tweet_of_the_hour_happens_after_it_arrives() -> None:
    hour = recorded_hour()

    assert {each.arrived for each in hour} == set(range(60))
    assert all(each.happened <= each.arrived for each in hour)


def test_a_mood_covers_the_six_minutes_before_its_minute_by_the_clock_that_was_asked_for() -> None:
    hour = [TimedTweet(10, 3, "Harvard is great", {}), TimedTweet(11, 11, "so sad, Harvardians", {})]
    by_arrival, by_event_time = dict(moods(hour, "arrived")), dict(moods(hour, "happened"))

    assert by_arrival[12][0] == by_arrival[16][0] == 1
    assert by_arrival[10] == by_arrival[18] == (0, 0.0)
    assert by_event_time[4][0] == by_event_time[8][0] == 1
    assert by_event_time[12] == (0, 0.0)
    assert by_arrival[12][1] > 0
