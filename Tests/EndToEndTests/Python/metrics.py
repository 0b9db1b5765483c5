"""Checks the text of /metrics with the parser of Prometheus' own client library, and a Grafana dashboard against it.

    metrics.py TEXT DASHBOARD DOCUMENT

Each series that a query of the dashboard names must be in the text. A series of a hub, of peers or of reported usage is
missing there, and must be in the document. Prints one line for each fault. The exit status is 1 if any fault was found.
"""

import json
import math
import re
import sys

from prometheus_client.parser import text_fd_to_metric_families

# Words of PromQL and of Grafana that look like series.
WORDS = {"sum", "by", "rate", "increase", "histogram_quantile", "time", "le", "agent", "outcome", "instance",
         "label_values", "count", "or", "vector", "state", "currency"}

# The beginnings of series that a bridge reports only if it uses them.
OPTIONAL = ("acpbridge_hub_", "acpbridge_peers", "acpbridge_agent_cost")


def families(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(text_fd_to_metric_families(file))


def histogram_faults(family):
    buckets = [s for s in family.samples if s.name == family.name + "_bucket"]
    values = {s.name.removeprefix(family.name): s.value for s in family.samples if s.name != family.name + "_bucket"}
    bounds = [float(s.labels["le"]) for s in buckets]
    counts = [s.value for s in buckets]
    if bounds != sorted(set(bounds)) or not bounds or not math.isinf(bounds[-1]):
        yield f"{family.name}: the bounds do not rise to +Inf: {bounds}"
    if counts != sorted(counts):
        yield f"{family.name}: the buckets are not cumulated: {counts}"
    if counts and counts[-1] != values.get("_count"):
        yield f"{family.name}: _count is not the last bucket"
    if "_sum" not in values:
        yield f"{family.name}: there is no _sum"


def faults(found):
    names = [family.name for family in found]
    if len(names) != len(set(names)):
        yield "a metric is written more than once"
    for family in found:
        if not family.documentation:
            yield f"{family.name}: there is no help"
        if family.type == "unknown":
            yield f"{family.name}: there is no type"
        series = [(s.name, tuple(sorted(s.labels.items()))) for s in family.samples]
        if len(series) != len(set(series)):
            yield f"{family.name}: a series is written more than once"
        if family.type == "histogram":
            yield from histogram_faults(family)
        if family.type == "counter" and any(s.value < 0 for s in family.samples):
            yield f"{family.name}: a counter is negative"


def queries(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("expr", "query") and isinstance(inner, str) and inner != "prometheus":
                yield inner
            else:
                yield from queries(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from queries(inner)


def names_in(query):
    plain = re.sub(r'"[^"]*"|\[[^\]]*\]|\$\w+', " ", query)
    return set(re.findall(r"[a-zA-Z_:][a-zA-Z0-9_:]*", plain)) - WORDS


def main():
    text, dashboard, document = sys.argv[1:]
    found = families(text)
    reported = list(faults(found))
    known = {s.name for family in found for s in family.samples}
    with open(document, encoding="utf-8") as file:
        known |= {name for name in re.findall(r"`(\w+)`", file.read()) if name.startswith(OPTIONAL)}
    with open(dashboard, encoding="utf-8") as file:
        asked = list(queries(json.load(file)))
    if len(asked) < 10:
        reported.append(f"the dashboard has only {len(asked)} queries")
    for query in asked:
        for name in sorted(names_in(query) - known):
            reported.append(f"{name} is not in /metrics: {query}")
    print("\n".join(reported))
    print(f"{len(found)} metrics, {len(asked)} queries, {len(reported)} faults")
    return 1 if reported else 0


sys.exit(main())
