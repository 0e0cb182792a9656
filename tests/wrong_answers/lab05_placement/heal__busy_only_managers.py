# wrong: adds placed instances to the given busy; breaks "The arguments stay unchanged"
# caught by: running_instances_stay_and_only_wanted_ones_are_placed, lost_instances_go_to_the_least_busy_and_then_nearest_manager, without_managers_nothing_is_placed
def heal(nodes, running, managers, busy, topology):
    result = {each: running[each] for each in nodes if running.get(each) in managers}
    if not managers:
        return {}
    load = busy
    for manager in managers:
        load.setdefault(manager, 0)
    for manager in result.values():
        load[manager] += 1
    for each in sorted(nodes):
        if each not in result:
            chosen = min(managers, key=lambda m: (load[m], topology.distance[managers[m]][nodes[each]], m))
            result[each] = chosen
            load[chosen] += 1
    return result
