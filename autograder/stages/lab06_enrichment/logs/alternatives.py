"""Other right solutions of `classify_logs`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Uses the positions of each service's lines, and plain lists.
@alternative("positions_per_service")
def classify_logs(batches, open_session, sessions):
    for batch in batches:
        places = {}
        for place, (service, text) in enumerate(zip(batch["service"], batch["content"], strict=True)):
            if text is not None and text.strip():
                places.setdefault(service, []).append(place)
        labels, scores = [None] * len(batch), [float("nan")] * len(batch)
        for service, own in places.items():
            try:
                model = sessions.get(service) or open_session(service)
            except LookupError:
                continue
            sessions.put(service, model)
            texts = np.array([[batch["content"].iloc[place]] for place in own], dtype=object)
            found, chances = model.run(["label", "probabilities"], {"text": texts})
            for place, label, row in zip(own, found, chances, strict=True):
                labels[place], scores[place] = str(label), float(max(row))
        result = batch.copy()
        result["label"], result["score"] = pd.Series(labels, index=batch.index, dtype=object), scores
        yield result
