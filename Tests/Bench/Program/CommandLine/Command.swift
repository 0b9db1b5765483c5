import BenchLoad
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
