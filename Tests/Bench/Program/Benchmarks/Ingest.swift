import BenchMeasuring
import BenchSystems
import EventLoop
import Glibc
import Posix

/// Measures how fast updates reach the log: one agent with many sessions that all receive updates, and no reader.
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
        let stage = try Stage(programs, options.agent, transport: options.transport, sessions: options.sessions)
        let warmUp = max(1, lines / 10)
        _ = try stage.turn(lines: warmUp)
        try stage.waitUntilStored(warmUp, sessions: options.sessions)
        let start = Instant.now
        let before = try stage.daemon.probe.cpuTime()
        _ = try stage.turn(lines: lines)
        try stage.waitUntilStored(warmUp + lines, sessions: options.sessions)
        let elapsed = Instant.now - start
        let cpu = try stage.daemon.probe.cpuTime() - before
        try stage.close()
        return [
            Figure(.updatesPerSecond, Double(lines) / elapsed.seconds),
            Figure(.serverNanosecondsPerUpdate, cpu.seconds * 1e9 / Double(lines)),
        ]
    }
}
