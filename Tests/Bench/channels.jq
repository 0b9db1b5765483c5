# The same table for the bridge alone: over plain TCP, with TLS, and with permessage-deflate.
include "rows";

. as $outcomes
| ["acpbridge", "tls", "deflate"] as $systems
| def row($title; $with; $quantity; $divisor): row($outcomes; $systems; $title; $with; $quantity; $divisor);

"| | plain | TLS | compressed |",
"|---|---:|---:|---:|",
({benchmark: "relay"} as $with
 | row("one reader: updates/s"; $with; "updatesPerSecond"; 1),
   row("… CPU, µs an update"; $with; "serverNanosecondsPerUpdate"; 1000)),
({benchmark: "fanout", subscribers: 10} as $with
 | row("10 readers: updates/s to each"; $with; "updatesPerSecond"; 1),
   row("… CPU, µs an update"; $with; "serverNanosecondsPerUpdate"; 1000)),
row("resident, idle: MB"; {benchmark: "memory: idle"}; "residentBytes"; 1000000),
row("… for each idle reader: KB"; {benchmark: "memory"}; "bytesPerSubscriber"; 1000)
