"""Other right solutions of `cell_counts` and `SparkScaler`; each must get full marks."""

import json

from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative


# Spark reads one JSON text for each picture; the name follows the last slash.
@alternative("by_json")
def cell_counts(pictures):
    fields = "cells int, mean_area_px double, error string"

    def as_json(content):
        try:
            areas = [each.area_px for each in measure(content)[0]]
        except ValueError as problem:
            return json.dumps({"error": str(problem)})
        return json.dumps({"cells": len(areas), "mean_area_px": sum(areas) / len(areas) if areas else None})

    measured = F.udf(as_json, "string")
    rows = pictures.withColumn("found", F.from_json(measured("content"), fields))
    return rows.selectExpr("substring_index(path, '/', -1) AS image", "found.*")


# Forgets executors that have gone; remembers since when each one is idle.
@alternative("forgets_who_is_gone")
class SparkScaler:
    def __init__(self, rules, idle_s, most):
        self.predictor, self.idle_s, self.most = Predictor(rules), idle_s, most
        self.since, self.total = {}, 0

    def decide(self, now_s, waiting, executors):
        self.since = {name: self.since.get(name, now_s) if not tasks else now_s for name, tasks in executors}
        retire = []
        if not waiting:
            retire = [name for name, tasks in executors if not tasks and now_s - self.since[name] >= self.idle_s]
        stay = len(executors) - len(retire)
        self.total = max(self.total - len(retire), stay)
        self.total += self.predictor.wanted("executors", now_s, waiting, self.total - stay)
        self.total = min(self.total, self.most)
        return Decision(self.total, retire)
