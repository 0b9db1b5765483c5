/// What the program that reads with TinyvexClient is told by its benchmark.
struct LibraryReaderOptions: Equatable {
    /// The bridge's.
    var socket = ""
    /// It subscribes to as many sessions of the benchmark's agent, on one connection.
    var sessions = 1
    /// Over all sessions; then it says what it has seen.
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

    /// These options on a command line.
    var arguments: [String] {
        ["--socket", socket, "--sessions", String(sessions), "--lines", String(lines)]
    }
}
