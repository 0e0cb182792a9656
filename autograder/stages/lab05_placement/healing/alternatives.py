"""Other right solutions of `heal`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Sorts the managers again for each instance that is lost.
@alternative("by_sorting")
def heal(nodes, running, managers, busy, topology):
    result, lost = {}, []
    for instance, node in sorted(nodes.items()):
        if instance in running and running[instance] in managers:
            result[instance] = running[instance]
        else:
            lost.append((instance, node))
    for instance, node in lost:
        order = sorted(managers)
        order.sort(key=lambda name: topology.distance[managers[name]][node])
        order.sort(key=lambda name: busy.get(name, 0) + sum(each == name for each in result.values()))
        if order:
            result[instance] = order[0]
    return result
