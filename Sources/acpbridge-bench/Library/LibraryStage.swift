import EventLoop

/// A bridge with one agent behind it, and a program that reads its sessions with TinyvexClient.
final class LibraryStage {
    struct Turn {
        let elapsed: Duration
        let clientCPU: Duration
        /// The middle one, the one that 99 of 100 do not exceed, and the greatest.
        let nanosecondsLate: [Double]
    }

    /// From one subscription to all.
    let timeToSubscribe: Duration
    /// The same in the reader's resident memory, and in the bridge's.
    let clientGrowthBytes: Int
    let serverGrowthBytes: Int
    private let stage: Stage
    private let reader: RunningProgram
    private let lines: Int

    /// - Parameter lines: of the one turn to come.
    init(_ programs: Programs, _ options: BenchOptions, rate: Int? = nil, sessions: Int = 1, lines: Int) throws {
        var options = options
        options.usesTCP = false
        self.lines = lines
        stage = try Stage(programs, options, rate: rate, sessions: sessions)
        // A session is known once its first update is stored.
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

    /// From the prompt to the last update in the reader's hands.
    func turn() throws -> Turn {
        let probe = ProcessProbe(pid: reader.pid)
        let before = try probe.cpuTime()
        let start = Instant.now
        _ = try stage.turn(lines: lines)
        let said = String(decoding: try reader.nextLine(), as: UTF8.self)
        let elapsed = Instant.now - start
        let late = said.split(separator: " ").compactMap { Double($0) }
        guard late.count == 3 else { throw BenchFailure("the reader said '\(said)'") }
        return Turn(elapsed: elapsed, clientCPU: try probe.cpuTime() - before, nanosecondsLate: late)
    }

    func close() throws {
        try reader.send([])
        try reader.waitForEnd()
        try stage.close()
    }
}
