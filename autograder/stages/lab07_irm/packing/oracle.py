"""The right answers by definition: each call looks at all placed engines, and each worker at all of its demands."""

from typing import Any

REJECTED = "ValueError"


def steps(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return answer or error, free space and used workers after each call."""
    capacity, placed, found = case["capacity"], dict[str, list[int]](), list[dict[str, Any]]()
    for call, engine, *size in case["script"]:
        answer: Any = None
        if call == "place":
            is_valid = engine not in placed and 0 < size[0] <= capacity
            answer = _first(placed, size[0], capacity) if is_valid else REJECTED
            placed |= {engine: [answer, size[0]]} if is_valid else {}
        elif engine not in placed:
            answer = "KeyError"
        elif call == "remove":
            answer = placed.pop(engine)[0]
        elif size[0] <= 0:
            answer = REJECTED
        else:
            placed[engine][1] = size[0]
        used = 1 + max((worker for worker, _ in placed.values()), default=-1)
        free = [_free(placed, worker, capacity) for worker in range(used)]
        found.append({"answer": answer, "free": free, "used": used})
    return found


def _free(placed: dict[str, list[int]], worker: int, capacity: int) -> int:
    return capacity - sum(size for at, size in placed.values() if at == worker)


def _first(placed: dict[str, list[int]], size: int, capacity: int) -> int:
    worker = 0
    while _free(placed, worker, capacity) < size:
        worker += 1
    return worker


def workers_of(case: dict[str, Any]) -> list[Any]:
    """Return the worker of each call of a script without errors or resizing, by scanning a list."""
    free, where, found = list[int](), dict[str, tuple[int, int]](), list[int]()
    for call, engine, *size in case["script"]:
        if call == "remove":
            worker, gone = where.pop(engine)
            free[worker] += gone
        else:
            worker = next((at for at, room in enumerate(free) if room >= size[0]), len(free))
            free += [case["capacity"]] if worker == len(free) else []
            free[worker] -= size[0]
            where[engine] = worker, size[0]
        found.append(worker)
    return found


def least(case: dict[str, Any]) -> int | None:
    """Return the bound L2, the maximum over every split up to half of the capacity, or None if a size is invalid."""
    sizes, capacity = case["sizes"], case.get("capacity", 1000)
    if any(size <= 0 or size > capacity for size in sizes):
        return None
    return max(_at_least(sizes, capacity, split) for split in range(capacity // 2 + 1))


def _at_least(sizes: list[int], capacity: int, split: int) -> int:
    alone = [size for size in sizes if size > capacity - split]
    large = [size for size in sizes if capacity < 2 * size and size <= capacity - split]
    small = [size for size in sizes if split <= size and 2 * size <= capacity]
    needed = sum(small) - (len(large) * capacity - sum(large))
    return len(alone) + len(large) + max(0, (needed + capacity - 1) // capacity)


def vector(case: dict[str, Any]) -> list[int] | None:
    """Return the first worker with room for each demand, or None if a demand is invalid."""
    if invalid(case) is not None:
        return None
    chosen: list[int] = []
    for number, demand in enumerate(case["demands"]):
        worker = 0
        while any(_load(case, chosen, worker, r) + demand[r] > most for r, most in enumerate(case["capacity"])):
            worker += 1
        chosen.append(worker)
        assert worker <= number
    return chosen


def _load(case: dict[str, Any], chosen: list[int], worker: int, resource: int) -> int:
    pairs = zip(case["demands"], chosen, strict=False)
    return sum(int(demand[resource]) for demand, at in pairs if at == worker)


def invalid(case: dict[str, Any]) -> list[int] | None:
    """Return [position of the demand, position of the resource] of the first invalid number, or None."""
    for number, demand in enumerate(case["demands"]):
        for resource, (need, most) in enumerate(zip(demand, case["capacity"], strict=True)):
            if need < 0 or need > most:
                return [number, resource]
    return None
