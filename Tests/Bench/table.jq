# Converts outcomes of acpbridge-bench --json, slurped, to a Markdown table with one row per measure and one column per
# system.
include "rows";

. as $outcomes
| ["acpbridge", "websocketd", "python", "c", "direct"] as $systems
| def row($title; $with; $quantity; $divisor): row($outcomes; $systems; $title; $with; $quantity; $divisor);

"| | acpbridge | websocketd | Python | C, stores nothing | the agent's pipe |",
"|---|---:|---:|---:|---:|---:|",
({benchmark: "relay", linesPerWrite: 1} as $with
 | row("one reader: updates/s"; $with; "updatesPerSecond"; 1),
   row("… CPU, µs an update"; $with; "serverNanosecondsPerUpdate"; 1000)),
({benchmark: "relay", linesPerWrite: 100} as $with
 | row("one reader, 100 updates a write: updates/s"; $with; "updatesPerSecond"; 1),
   row("… CPU, µs an update"; $with; "serverNanosecondsPerUpdate"; 1000)),
({benchmark: "fanout", subscribers: 10} as $with
 | row("10 readers: updates/s to each"; $with; "updatesPerSecond"; 1)),
({benchmark: "fanout", subscribers: 100} as $with
 | row("100 readers: updates/s to each"; $with; "updatesPerSecond"; 1),
   row("… CPU, µs an update"; $with; "serverNanosecondsPerUpdate"; 1000)),
({benchmark: "latency", subscribers: 1, rate: 10} as $with
 | row("one reader, 10 updates/s: p50, µs"; $with; "p50Microseconds"; 1),
   row("… CPU, µs an update"; $with; "serverNanosecondsPerUpdate"; 1000)),
({benchmark: "latency", subscribers: 1, rate: 1000} as $with
 | row("one reader, 1,000 updates/s: p50, µs"; $with; "p50Microseconds"; 1),
   row("… p99, µs"; $with; "p99Microseconds"; 1),
   row("… CPU, µs an update"; $with; "serverNanosecondsPerUpdate"; 1000)),
({benchmark: "latency", subscribers: 100} as $with
 | row("100 readers, 1,000 updates/s: p50, µs"; $with; "p50Microseconds"; 1),
   row("… p99, µs"; $with; "p99Microseconds"; 1)),
row("the editor: updates/s"; {benchmark: "editor", linesPerWrite: 1}; "updatesPerSecond"; 1),
({benchmark: "editor", rate: 1000} as $with
 | row("the editor, 1,000 updates/s: p50, µs"; $with; "p50Microseconds"; 1),
   row("… p99, µs"; $with; "p99Microseconds"; 1)),
row("replay of 500,000 updates: updates/s"; {benchmark: "replay", updates: 500000}; "updatesPerSecond"; 1),
row("replay of 41,520 updates, 160 MB: updates/s"; {benchmark: "replay", updates: 41520}; "updatesPerSecond"; 1),
({slow: 10} as $with
 | row("10 readers at 1 % of 10,000 updates/s, `latest`: age, p50, ms"; $with; "p50Microseconds"; 1000),
   row("… age, max, ms"; $with; "maxMicroseconds"; 1000),
   row("… the bridge grows by, MB"; $with; "residentGrowthBytes"; 1000000)),
row("one reader, no reader stopped: updates/s"; {stopped: 0}; "updatesPerSecond"; 1),
({stopped: 1000} as $with
 | row("one reader beside 1,000 that have stopped: updates/s"; $with; "updatesPerSecond"; 1),
   row("… for each stopped reader: KB"; $with; "bytesPerSubscriber"; 1000)),
({benchmark: "fairness: none"} as $with
 | row("a session at 1,000 updates/s, by itself: p99, µs"; $with; "p99Microseconds"; 1)),
({benchmark: "fairness: flood"} as $with
 | row("… while another floods: p99, µs"; $with; "p99Microseconds"; 1)),
({benchmark: "fairness: 64 MiB lines"} as $with
 | row("… while another writes lines of 64 MiB: p99, µs"; $with; "p99Microseconds"; 1)),
({benchmark: "fairness: replay"} as $with
 | row("… while a million updates are replayed: p99, µs"; $with; "p99Microseconds"; 1)),
row("into the log from 200 sessions: updates/s"; {benchmark: "ingest"}; "updatesPerSecond"; 1),
row("resident, idle: MB"; {benchmark: "memory: idle"}; "residentBytes"; 1000000),
row("… for each idle reader: KB"; {benchmark: "memory"}; "bytesPerSubscriber"; 1000),
row("from exec to ready: ms"; {benchmark: "start: to ready"}; "milliseconds"; 1),
row("`acpbridge --version`: ms"; {benchmark: "start: --version"}; "milliseconds"; 1),
row("from exec to the answer to `initialize`: ms"; {benchmark: "start: initialize"}; "milliseconds"; 1)
