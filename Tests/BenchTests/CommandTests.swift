import EventLoop
import Posix
import Testing

@testable import BenchLoad
@testable import acpbridge_bench

@Suite struct CommandTests {
    @Test func withoutNamesAllBenchmarksRun() throws {
        #expect(try Command.parse([]) == .measure(Benchmark.allCases, BenchOptions()))
    }

    @Test func benchmarksAndOptionsCanBeInAnyOrder() throws {
        var options = BenchOptions()
        options.runs = 3
        options.subscribers = [1, 10]
        options.json = true
        let words = ["--runs", "3", "fanout", "--subscribers=1,10", "latency", "--json"]
        #expect(try Command.parse(words) == .measure([.fanout, .latency], options))
    }

    @Test func systemsToCompareWithAreACommaSeparatedList() throws {
        var options = BenchOptions()
        options.against = [.websocketd, .c, .direct]
        options.usesTCP = true
        #expect(try Command.parse(["relay", "--against", "websocketd,c,direct,c"]) == .measure([.relay], options))
    }

    @Test func theBridgeOverTLSCanBeCompared() throws {
        var options = BenchOptions()
        options.against = [.tls, .c]
        options.usesTCP = true
        #expect(try Command.parse(["relay", "--tls", "--against", "tls,c"]) == .measure([.relay], options))
    }

    @Test func theCompressingBridgeCanBeCompared() throws {
        var options = BenchOptions()
        options.against = [.deflate]
        options.usesTCP = true
        #expect(try Command.parse(["fanout", "--deflate"]) == .measure([.fanout], options))
    }

    @Test func onlyServersRequireTCP() throws {
        var options = BenchOptions()
        options.against = [.direct]
        #expect(try Command.parse(["relay", "--against=direct"]) == .measure([.relay], options))
    }

    @Test func theAgentsCommandLineRoundTrips() throws {
        var options = AgentOptions()
        options.lineBytes = 1_000
        options.linesPerWrite = 20
        options.rate = 500
        #expect(try Command.parse(["agent"] + options.arguments) == .agent(options))
    }

    @Test func theReadersCommandLineRoundTrips() throws {
        var options = LibraryReaderOptions()
        options.socket = "/run/b.sock"
        options.sessions = 7
        options.lines = 900
        #expect(try Command.parse(["library-reader"] + options.arguments) == .libraryReader(options))
        #expect(throws: UsageError.self) { try Command.parse(["library-reader", "--lines", "1"]) }
    }

    @Test(arguments: [
        (["echo", "--listen", "127.0.0.1:9001"], Command.echo(.ip(host: "127.0.0.1", port: 9001))),
        (["echo", "--listen=[::1]:0"], .echo(.ip(host: "::1", port: 0))),
        (["echo", "--socket", "/run/echo"], .echo(.unix(path: "/run/echo"))),
        (["echo-client", "ws://localhost:9001/"], .echoClient(.ip(host: "127.0.0.1", port: 9001))),
        (["echo-client", "unix:/run/fuzz"], .echoClient(.unix(path: "/run/fuzz"))),
    ])
    func anEchoCommandRequiresOneAddress(words: [String], command: Command) throws {
        #expect(try Command.parse(words) == command)
    }

    @Test(arguments: [
        (["relais"], UsageError.unknown("relais")),
        (["--runs"], .missingValue("--runs")),
        (["--runs", "0"], .badNumber("--runs", "0", least: 1)),
        (["--runs", "many"], .badNumber("--runs", "many", least: 1)),
        (["--subscribers", "1,,2"], .badNumber("--subscribers", "", least: 1)),
        (["--size", "10"], .badNumber("--size", "10", least: UpdateLine.leastBytes)),
        (["--against", "c,acpbridge"], .unknownSystem("acpbridge")),
        (["--against", "socat"], .unknownSystem("socat")),
        (["agent", "--json"], .unknown("--json")),
        (["echo"], .missingValue("--listen")),
        (["echo", "--listen", "127.0.0.1"], .notAnAddress("127.0.0.1")),
        (["echo", "--json"], .unknown("--json")),
        (["echo-client"], .missingValue("echo-client")),
        (["echo-client", "http://localhost:9001"], .notAnAddress("http://localhost:9001")),
    ])
    func usageErrorsAreSpecific(words: [String], error: UsageError) {
        #expect(throws: error) { try Command.parse(words) }
    }
}
