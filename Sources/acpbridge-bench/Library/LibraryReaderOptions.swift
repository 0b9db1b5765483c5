/// The options that the benchmark passes to the program that reads with TinyvexClient.
struct LibraryReaderOptions: Equatable {
    /// The path of the bridge's socket.
    var socket = ""
    /// The number of the benchmark agent's sessions that it subscribes to, on one connection.
    var sessions = 1
    /// The number of updates over all sessions. After that, it prints its results.
    var lines = 1

    init() {}

    init(parsing words: inout ArgumentWords) throws(UsageError) {
        while let word = words.next() {
            switch word {
            case "--socket": socket = try words.value(for: word)
            case "--sessions": sessions = try words.number(for: word)
            case "--lines": lines = try words.number(for: word)
            default: throw .unknown(word)
            }
        }
        guard !socket.isEmpty else { throw .missingValue("--socket") }
    }

    /// These options as command-line arguments.
    var arguments: [String] {
        ["--socket", socket, "--sessions", String(sessions), "--lines", String(lines)]
    }
}
