# wrong: nearest first, then least busy; breaks "a manager with the fewest instances … If several have the fewest … nearest"
# caught by: lost_instances_go_to_the_least_busy_and_then_nearest_manager
def heal(nodes, running, managers, busy, topology):
    result = {each: running[each] for each in nodes if running.get(each) in managers}
    if not managers:
        return {}
    load = {manager: busy.get(manager, 0) for manager in managers}
    for manager in result.values():
        load[manager] += 1
    for each in sorted(nodes):
        if each not in result:
            chosen = min(managers, key=lambda m: (topology.distance[managers[m]][nodes[each]], load[m], m))
            result[each] = chosen
            load[chosen] += 1
    return result
