import BenchLoad
import BenchSystems

extension BenchOptions {
    /// Consumes one option. Returns false when `word` is none of these options.
    mutating func parse(_ word: String, from words: inout ArgumentWords) throws(UsageError) -> Bool {
        switch word {
        case "--runs": runs = try words.number(for: word)
        case "--lines": lines = try words.number(for: word)
        case "--size": agent.lineBytes = try words.number(for: word, atLeast: UpdateLine.leastBytes)
        case "--per-write": agent.linesPerWrite = try words.number(for: word)
        case "--rate": rate = try words.number(for: word)
        case "--subscribers": subscribers = try words.numbers(for: word)
        case "--sessions": sessions = try words.number(for: word)
        case "--beside": beside = try words.disturbance(for: word)
        case "--against":
            against += try words.systems(for: word).filter { !against.contains($0) }
            // The other systems have no Unix socket.
            if against.contains(where: \.isServer) { usesTCP = true }
        case "--tcp": usesTCP = true
        case "--tls":
            usesTCP = true
            if !against.contains(.tls) { against.append(.tls) }
        case "--deflate":
            usesTCP = true
            if !against.contains(.deflate) { against.append(.deflate) }
        case "--json": json = true
        case "--program": program = try words.value(for: word)
        case "--python": python = try words.value(for: word)
        default: return false
        }
        return true
    }
}

extension AgentOptions {
    /// Parses the words of ``arguments``.
    init(parsing words: inout ArgumentWords) throws(UsageError) {
        self.init()
        while let word = words.next() {
            switch word {
            case "--size": lineBytes = try words.number(for: word, atLeast: UpdateLine.leastBytes)
            case "--per-write": linesPerWrite = try words.number(for: word)
            case "--rate": rate = try words.number(for: word)
            default: throw .unknown(word)
            }
        }
    }
}

extension LibraryReaderOptions {
    /// Parses the words of ``arguments``.
    init(parsing words: inout ArgumentWords) throws(UsageError) {
        self.init()
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
}
