enum Usage {
    static let hint = "See 'acpbridge-bench --help'."

    static let text = """
        OVERVIEW: Measures the acpbridge beside this program.

        USAGE: acpbridge-bench [BENCHMARK…] [--runs N] [--json] …
               acpbridge-bench echo (--listen HOST:PORT | --socket PATH)
               acpbridge-bench echo-client (ws://HOST:PORT | unix:PATH)

        BENCHMARKS: (all of them where none is named)
        \(Benchmark.allCases.map { "  " + padded($0.rawValue) + $0.summary }.joined(separator: "\n"))

        OPTIONS:
          --runs N              runs of each trial; medians are printed (default: 5)
          --lines N             updates of one run
          --size BYTES          one update, its line feed included (default: 200)
          --per-write N         updates the agent writes at once (default: 1)
          --rate N              updates per second where latency is measured (default: 1000)
          --subscribers N,N     readers, for fanout, slow-readers and memory
          --sessions N          sessions, for ingest (default: 200)
          --against NAMES       measure these in turn with it, and print the ratios: websocketd, python, c, direct, tls, deflate;
                                readers then connect over TCP
          --tls                 measure it in turn with itself over TLS; readers then connect over TCP
          --deflate             measure it in turn with itself with permessage-deflate; likewise over TCP
          --tcp                 readers connect over TCP, not the Unix socket
          --program FILE        the acpbridge to measure
          --python FILE         an interpreter with the package `websockets` (default: python3)
          --json                one JSON object a line instead of a table

        WEBSOCKET TESTS: (for the Autobahn test suite)
          echo                  listens and sends every message back, for a fuzzing client
          echo-client           runs the cases of a fuzzing server, and sends every message back
        """

    private static func padded(_ name: String) -> String {
        name + String(repeating: " ", count: max(1, 22 - name.count))
    }
}
