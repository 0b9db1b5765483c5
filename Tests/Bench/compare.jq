# The figures of $entry, each with its ratio to the last entry of the same machine type in history.ndjson, slurped.
(map(select(.machine == $entry.machine)) | last) as $before
| "Benchmark of version \($entry.version) on \($entry.machine)"
  + (if $before then ", and its ratio to \($before.date) (\($before.version)):"
     else "; the history has no entry for this type of machine:" end),
  ($entry.figures | to_entries[]
   | "  \(.key): \(.value * 100 | round / 100)"
     + ($before.figures[.key] as $old | .value as $new
        | if $old then " (\($new / $old * 100 | round / 100)×)" else "" end))
