"""Checks a body of OTLP/HTTP in JSON with the messages of OpenTelemetry's own package.

    traces.py BODY

The protobuf library reads the body and refuses unknown names and wrong types. It expects bytes in Base64, and OTLP's
JSON has trace and span ids in hexadecimal, so these are checked and converted first. Prints one line for each fault,
and the tree of spans. The exit status is 1 if any fault was found.
"""

import base64
import json
import re
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

IDS = {"traceId": 32, "spanId": 16, "parentSpanId": 16}


def converted(value, faults):
    if isinstance(value, list):
        return [converted(inner, faults) for inner in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for name, inner in value.items():
        if name in IDS:
            if not re.fullmatch(r"[0-9a-f]{%d}" % IDS[name], inner) or set(inner) == {"0"}:
                faults.append(f"{name} is not valid: {inner}")
                continue
            inner = base64.b64encode(bytes.fromhex(inner)).decode()
        result[name] = converted(inner, faults)
    return result


def main():
    with open(sys.argv[1], "rb") as file:
        text = file.read().decode("utf-8", "strict")
    faults = []
    request = json_format.Parse(json.dumps(converted(json.loads(text), faults)), ExportTraceServiceRequest())
    spans = [span for resource in request.resource_spans for scope in resource.scope_spans for span in scope.spans]
    names = {span.span_id: span.name for span in spans}
    if not spans:
        faults.append("there are no spans")
    if not any(a.key == "service.name" for r in request.resource_spans for a in r.resource.attributes):
        faults.append("the resource has no service.name")
    for span in spans:
        if span.end_time_unix_nano < span.start_time_unix_nano or span.start_time_unix_nano < 10**18:
            faults.append(f"{span.name}: the times are wrong")
        keys = [attribute.key for attribute in span.attributes]
        if len(keys) != len(set(keys)):
            faults.append(f"{span.name}: an attribute is given twice")
        if span.kind == 0:
            faults.append(f"{span.name}: there is no kind")
        print(f"{span.name} < {names.get(span.parent_span_id, span.parent_span_id.hex())}")
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
