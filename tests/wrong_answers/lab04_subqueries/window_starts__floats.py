# wrong: divides with floats, which is wrong for large positions (2**53 and more); breaks "Each start is a multiple of the advance"
# caught by: a_window_holds_its_start_and_not_its_end
def window_starts(window: TimeWindow | SizeWindow, at: int) -> list[int]:
    last = math.floor(at / window.advance) * window.advance
    starts = [s for s in range(last, at - window.size, -window.advance)][::-1]
    return starts if isinstance(window, TimeWindow) else [s for s in starts if s >= 0]
