import BenchMeasuring
import BenchSystems
import EventLoop
import Posix

/// Measures reading a long-ended session from its beginning, from a bridge that has none of it in memory.
final class Replay {
    private let programs: Programs
    private let options: BenchOptions
    private let lines: Int
    /// Written once, because every run reads the same log.
    private var filled: (home: BridgeHome, sessionId: String)?

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
        lines = options.lines ?? 500_000
    }

    var trial: Trial {
        let settings = [
            Setting(name: "updates", value: lines), Setting(name: "lineBytes", value: options.agent.lineBytes),
        ]
        return Trial(subject: Subject(benchmark: "replay", settings: settings)) { try self.measure() }
    }

    private func measure() throws -> [Figure] {
        let (home, sessionId) = try filled ?? fill()
        filled = (home, sessionId)
        let daemon = try BridgeDaemon(programs, home: home, transport: options.transport)
        // A new bridge continues to index the session for the search. That is no part of the replay.
        try daemon.probe.settle()
        let before = try daemon.probe.cpuTime()
        let elapsed = try read(sessionId, from: daemon)
        let cpu = try daemon.probe.cpuTime() - before
        try daemon.stop()
        return [
            Figure(.updatesPerSecond, Double(lines) / elapsed.seconds),
            Figure(.serverNanosecondsPerUpdate, cpu.seconds * 1e9 / Double(lines)),
        ]
    }

    /// The time from the subscription to the last update.
    private func read(_ sessionId: String, from daemon: BridgeDaemon) throws -> Duration {
        let poller = try DescriptorPoller()
        let waiting = Countdown()
        let start = Instant.now
        let reader = try Subscriber(daemon, sessionId: sessionId, lastSeq: 0)
        // Updates that arrived directly after the response to the subscription are already counted.
        reader.expect(lines - reader.updates, waiting)
        try poller.add(reader)
        try poller.run(patience: RunningProgram.patience) { waiting.left == 0 }
        return .now - start
    }

    private func fill() throws -> (BridgeHome, String) {
        let home = try BridgeHome()
        var options = options
        options.agent.linesPerWrite = max(100, options.agent.linesPerWrite)
        let stage = try Stage(programs, options.agent, transport: options.transport, home: home)
        _ = try stage.turn(lines: lines)
        try stage.close()
        return (home, stage.sessionId)
    }
}
