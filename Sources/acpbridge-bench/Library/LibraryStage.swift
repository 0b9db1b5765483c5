import EventLoop
import Posix

/// A bridge with one agent, and a program that reads its sessions with TinyvexClient.
final class LibraryStage {
    struct Turn {
        let elapsed: Duration
        let clientCPU: Duration
        /// The median, the 99th percentile and the maximum.
        let nanosecondsLate: [Double]
    }

    /// The time from one subscription to all of them.
    let timeToSubscribe: Duration
    /// The growth of resident memory in that time, in the reader and in the bridge.
    let clientGrowthBytes: Int
    let serverGrowthBytes: Int
    private let stage: Stage
    private let reader: RunningProgram
    private let lines: Int

    /// - Parameter lines: The number of updates in the one turn that follows.
    init(_ programs: Programs, _ options: BenchOptions, rate: Int? = nil, sessions: Int = 1, lines: Int) throws {
        var options = options
        options.usesTCP = false
        self.lines = lines
        stage = try Stage(programs, options, rate: rate, sessions: sessions)
        // A session is known after its first update is stored.
        _ = try stage.turn(lines: sessions)
        try stage.waitUntilStored(sessions, sessions: sessions)
        var arguments = LibraryReaderOptions()
        arguments.socket = stage.daemon.home.socket
        (arguments.sessions, arguments.lines) = (sessions, lines)
        reader = try RunningProgram(programs.libraryReader(arguments), environment: BridgeHome.ownEnvironment)
        _ = try reader.nextLine()
        let probes = (client: ProcessProbe(pid: reader.pid), server: stage.daemon.probe)
        let before = try (probes.client.residentBytes(), probes.server.residentBytes())
        let start = Instant.now
        try reader.send([])
        _ = try reader.nextLine()
        timeToSubscribe = .now - start
        clientGrowthBytes = try probes.client.residentBytes() - before.0
        serverGrowthBytes = try probes.server.residentBytes() - before.1
    }

    /// The turn lasts from the prompt until the reader has received the last update.
    func turn() throws -> Turn {
        let probe = ProcessProbe(pid: reader.pid)
        let before = try probe.cpuTime()
        let start = Instant.now
        _ = try stage.turn(lines: lines)
        let output = String(decoding: try reader.nextLine(), as: UTF8.self)
        let elapsed = Instant.now - start
        let late = output.split(separator: " ").compactMap { Double($0) }
        guard late.count == 3 else { throw BenchFailure("the reader printed '\(output)'") }
        return Turn(elapsed: elapsed, clientCPU: try probe.cpuTime() - before, nanosecondsLate: late)
    }

    func close() throws {
        try reader.send([])
        try reader.waitForEnd()
        try stage.close()
    }
}
