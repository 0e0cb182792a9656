# wrong: accepts 0 workers; breaks "A number below 1 raises a ValueError"
# caught by: invalid_numbers_of_threads_raise_value_error
def local_master(receivers: int, workers: int) -> str:
    if receivers < 0 or workers < 0 or receivers + workers < 1:
        raise ValueError("too few")
    return f"local[{receivers + workers}]"
