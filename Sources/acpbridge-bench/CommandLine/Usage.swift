enum Usage {
    static let hint = "See 'acpbridge-bench --help'."

    static let text = """
        OVERVIEW: Measures the acpbridge beside this program.

        USAGE: acpbridge-bench [BENCHMARK…] [--runs N] [--json] …

        BENCHMARKS: (all of them where none is named)
        \(Benchmark.allCases.map { "  " + padded($0.rawValue) + $0.summary }.joined(separator: "\n"))

        OPTIONS:
          --runs N              runs of each trial; medians are printed (default: 5)
          --lines N             updates of one run
          --size BYTES          one update, its line feed included (default: 200)
          --per-write N         updates the agent writes at once (default: 1)
          --rate N              updates per second where latency is measured (default: 1000)
          --subscribers N,N     readers, for fanout and memory
          --sessions N          sessions, for ingest (default: 200)
          --tcp                 readers connect over TCP, not the Unix socket
          --program FILE        the acpbridge to measure
          --json                one JSON object a line instead of a table
        """

    private static func padded(_ name: String) -> String {
        name + String(repeating: " ", count: max(1, 22 - name.count))
    }
}
