import BenchLoad
import BenchMeasuring
import EventLoop
import Posix

/// A bridge with one agent, and a program that reads its sessions with TinyvexClient.
package final class LibraryStage {
    package struct Turn {
        package let elapsed: Duration
        package let clientCPU: Duration
        /// The median, the 99th percentile and the maximum.
        package let nanosecondsLate: [Double]
    }

    /// The time from one subscription to all of them.
    package let timeToSubscribe: Duration
    /// The growth of resident memory in that time, in the reader and in the bridge.
    package let clientGrowthBytes: Int
    package let serverGrowthBytes: Int
    private let stage: Stage
    private let reader: RunningProgram
    private let lines: Int

    /// - Parameter lines: The number of updates in the one turn that follows.
    package init(_ programs: Programs, _ agent: AgentOptions, rate: Int? = nil, sessions: Int = 1, lines: Int) throws {
        self.lines = lines
        stage = try Stage(programs, agent, transport: .socket, rate: rate, sessions: sessions)
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
    package func turn() throws -> Turn {
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

    package func close() throws {
        try reader.send([])
        try reader.waitForEnd()
        try stage.close()
    }
}
