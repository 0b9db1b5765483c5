import EventLoop
import Glibc

/// An agent with many sessions that all receive updates, and nobody who reads: how fast they get into the log.
struct Ingest {
    private let programs: Programs
    private let options: BenchOptions

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
    }

    var trial: Trial {
        let settings = [Setting(name: "sessions", value: options.sessions)] + options.agent.settings
        return Trial(subject: Subject(benchmark: "ingest", settings: settings)) { try measure() }
    }

    private func measure() throws -> [Figure] {
        let lines = options.lines ?? 300_000
        let stage = try Stage(programs, options, sessions: options.sessions)
        let client = try BridgeClient(stage.daemon)
        let warmUp = max(1, lines / 10)
        _ = try stage.turn(lines: warmUp)
        try waitUntilStored(warmUp, client)
        let start = Instant.now
        let before = try stage.daemon.probe.cpuTime()
        _ = try stage.turn(lines: lines)
        try waitUntilStored(warmUp + lines, client)
        let elapsed = Instant.now - start
        let cpu = try stage.daemon.probe.cpuTime() - before
        try stage.close()
        return [
            Figure(.updatesPerSecond, Double(lines) / elapsed.seconds),
            Figure(.serverNanosecondsPerUpdate, cpu.seconds * 1e9 / Double(lines)),
        ]
    }

    /// The editor does not wait for the log, so the end of a turn is not yet the end of its storing.
    private func waitUntilStored(_ lines: Int, _ client: BridgeClient) throws {
        let deadline = Instant.now + RunningProgram.patience
        while try storedUpdates(client) < lines {
            guard Instant.now < deadline else { throw BenchFailure("the log did not get all updates in time") }
            usleep(2_000)
        }
    }

    private func storedUpdates(_ client: BridgeClient) throws -> Int {
        let sessions = try client.call("tinyvex/history.recentSessions") { $0.member("limit", options.sessions) }
        return sessions.elements.reduce(0) { $0 + Int($1["updateCount"]?.int64Value ?? 0) }
    }
}
