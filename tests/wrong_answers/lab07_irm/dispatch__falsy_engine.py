# wrong: an engine whose name is empty counts as none; breaks "An engine of its image is idle: take it"
# caught by: an_idle_engine_gets_the_message
def dispatch(registry, message, image, is_stored, was_lost=False):
    engine = registry.take_engine(image)
    if engine:
        return [Order("hand" if is_stored else "push", message, engine)]
    if is_stored:
        (registry.append_first if was_lost else registry.append)(message, image)
        return []
    return [Order("store" if registry.promise(message, image) else "wait", message)]
