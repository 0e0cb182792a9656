"""Whole milliseconds, and zeros filtered from the answer rather than from the state."""


def windowed_counts(pairs, window_s, slide_s):
    batch_ms = round(pairs._slideDuration * 1000)
    window_ms, slide_ms = round(window_s * 1000), round(slide_s * 1000)
    if min(window_ms, slide_ms) <= 0 or window_ms % batch_ms or slide_ms % batch_ms:
        raise ValueError(f"expected multiples of {batch_ms} ms, got window {window_s} s and slide {slide_s} s")
    sums = pairs.reduceByKeyAndWindow(
        lambda total, entering: total + entering,
        lambda total, leaving: total - leaving,
        window_ms / 1000,
        slide_ms / 1000,
        2,
    )
    return sums.filter(lambda pair: pair[1])
