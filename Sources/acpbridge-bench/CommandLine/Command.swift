import EventLoop
import Posix

/// The parsed command line.
enum Command: Equatable {
    case help
    case measure([Benchmark], BenchOptions)
    /// Hidden: the agent that a benchmark runs.
    case agent(AgentOptions)
    case libraryReader(LibraryReaderOptions)
    case echo(SocketAddress)
    case echoClient(SocketAddress)

    static func parse(_ arguments: [String]) throws(UsageError) -> Command {
        var words = ArgumentWords(arguments)
        if words.consume("agent") { return .agent(try AgentOptions(parsing: &words)) }
        if words.consume("library-reader") { return .libraryReader(try LibraryReaderOptions(parsing: &words)) }
        if !Set(arguments).isDisjoint(with: ["--help", "-h", "help"]) { return .help }
        if let echo = try echoCommand(&words) { return echo }
        var options = BenchOptions()
        var benchmarks: [Benchmark] = []
        while let word = words.next() {
            guard try !options.parse(word, from: &words) else { continue }
            guard let benchmark = Benchmark(rawValue: word) else { throw .unknown(word) }
            benchmarks.append(benchmark)
        }
        return .measure(benchmarks.isEmpty ? Benchmark.allCases : benchmarks, options)
    }

    /// Returns nil, and consumes no word, when it is another command.
    private static func echoCommand(_ words: inout ArgumentWords) throws(UsageError) -> Command? {
        if words.consume("echo") { return .echo(try .listening(parsing: &words)) }
        if words.consume("echo-client") { return .echoClient(try .server(parsing: &words)) }
        return nil
    }
}

/// The settings of the measurements. `nil` leaves the choice to each benchmark.
struct BenchOptions: Equatable {
    var runs = 5
    /// The number of updates in one run.
    var lines: Int?
    var agent = AgentOptions()
    /// Updates per second in latency measurements.
    var rate = 1_000
    var subscribers: [Int]?
    var sessions = 200
    /// Subscribers connect over TCP instead of the Unix socket.
    var usesTCP = false
    var json = false
    /// The systems that are measured in turn with acpbridge.
    var against: [System] = []
    /// The `acpbridge` to measure, instead of the one beside this program.
    var program: String?
    var python = "python3"

    var transport: Transport { usesTCP ? .tcp : .socket }

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

/// The way in which readers reach a bridge.
enum Transport {
    case socket, tcp, tls, deflate
}

/// The way in which the benchmark's own agent writes.
struct AgentOptions: Equatable {
    /// The size of one update, including its LF. 200 bytes is common.
    var lineBytes = 200
    /// Agents write 1 update per write. A higher number tests the bridge's own limit.
    var linesPerWrite = 1
    /// Updates per second, or nil for as fast as possible. With a rate, each update contains the time of its write.
    var rate: Int?

    init() {}

    init(parsing words: inout ArgumentWords) throws(UsageError) {
        while let word = words.next() {
            switch word {
            case "--size": lineBytes = try words.number(for: word, atLeast: UpdateLine.leastBytes)
            case "--per-write": linesPerWrite = try words.number(for: word)
            case "--rate": rate = try words.number(for: word)
            default: throw .unknown(word)
            }
        }
    }

    /// These options as command-line arguments.
    var arguments: [String] {
        ["--size", String(lineBytes), "--per-write", String(linesPerWrite)]
            + (rate.map { ["--rate", String($0)] } ?? [])
    }
}
