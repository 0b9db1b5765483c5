enum Usage {
    static let hint = "See 'acpbridge-bench --help'."

    static let text = """
        OVERVIEW: Measures the acpbridge beside this program.

        USAGE: acpbridge-bench [BENCHMARK…] [--runs N] [--json] …
               acpbridge-bench echo (--listen HOST:PORT | --socket PATH)
               acpbridge-bench echo-client (ws://HOST:PORT | unix:PATH)

        BENCHMARKS: (default: all)
        \(Benchmark.allCases.map { "  " + padded($0.rawValue) + $0.summary }.joined(separator: "\n"))

        OPTIONS:
          --runs N              runs of each trial; medians are printed (default: 5)
          --lines N             updates of one run
          --size BYTES          size of one update, including its line feed (default: 200)
          --per-write N         updates in one write of the agent (default: 1)
          --rate N              updates per second in latency measurements (default: 1000)
          --subscribers N,N     readers, for fanout, slow-readers and memory
          --sessions N          sessions, for ingest (default: 200)
          --beside LOAD         the only load of fairness: none, flood, '64 MiB lines' or replay
          --against NAMES       measure these in turn with acpbridge, and print the ratios: websocketd, python, c,
                                direct, tls, deflate; readers then connect over TCP
          --tls                 measure acpbridge with and without TLS in turn; readers then connect over TCP
          --deflate             measure acpbridge with and without permessage-deflate in turn; also over TCP
          --tcp                 readers connect over TCP, not the Unix socket
          --program FILE        the acpbridge executable to measure
          --python FILE         a Python interpreter with the package `websockets` (default: python3)
          --json                print one JSON object per line instead of a table

        WEBSOCKET TESTS: (for the Autobahn test suite)
          echo                  listen and echo every message, for a fuzzing client
          echo-client           run the cases of a fuzzing server and echo every message
        """

    private static func padded(_ name: String) -> String {
        name + String(repeating: " ", count: max(1, 22 - name.count))
    }
}
