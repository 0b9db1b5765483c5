# One line of history.ndjson: the medians of outcomes of acpbridge-bench --json, slurped.
def figure($name; $with; $quantity; $divisor):
  first(.[] | select(contains($with + {system: "acpbridge"})) | .[$quantity] // empty)
  | {($name): (.median / $divisor * 1000 | round / 1000)};

{
  date: $date, version: $version, machine: $machine,
  figures: ([
    ({benchmark: "relay", linesPerWrite: 1} as $with
     | figure("relay, updates/s"; $with; "updatesPerSecond"; 1),
       figure("relay, CPU, µs"; $with; "serverNanosecondsPerUpdate"; 1000)),
    ({benchmark: "relay", linesPerWrite: 100} as $with
     | figure("relay, 100 updates a write, updates/s"; $with; "updatesPerSecond"; 1),
       figure("relay, 100 updates a write, CPU, µs"; $with; "serverNanosecondsPerUpdate"; 1000)),
    ({benchmark: "latency", rate: 1000} as $with
     | figure("1,000 updates/s, p50, µs"; $with; "p50Microseconds"; 1),
       figure("1,000 updates/s, p99, µs"; $with; "p99Microseconds"; 1),
       figure("1,000 updates/s, CPU, µs"; $with; "serverNanosecondsPerUpdate"; 1000)),
    ({benchmark: "ingest"} as $with
     | figure("200 sessions, updates/s"; $with; "updatesPerSecond"; 1),
       figure("200 sessions, CPU, µs"; $with; "serverNanosecondsPerUpdate"; 1000)),
    figure("ready, ms"; {benchmark: "start: to ready"}; "milliseconds"; 1),
    figure("initialize, ms"; {benchmark: "start: initialize"}; "milliseconds"; 1)
  ] | add)
}
