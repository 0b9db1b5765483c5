import EventLoop

/// A session whose agent has long ended, read from its beginning out of a bridge that has nothing of it in memory.
final class Replay {
    private let programs: Programs
    private let options: BenchOptions
    private let lines: Int
    /// Written once: the same log is read in every run.
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
        let before = try daemon.probe.cpuTime()
        let elapsed = try read(sessionId, from: daemon)
        let cpu = try daemon.probe.cpuTime() - before
        try daemon.stop()
        return [
            Figure(.updatesPerSecond, Double(lines) / elapsed.seconds),
            Figure(.serverNanosecondsPerUpdate, cpu.seconds * 1e9 / Double(lines)),
        ]
    }

    /// From the subscription to the last update.
    private func read(_ sessionId: String, from daemon: BridgeDaemon) throws -> Duration {
        let poller = try Poller()
        let waiting = Countdown()
        let start = Instant.now
        let reader = try Subscriber(daemon, sessionId: sessionId, lastSeq: 0)
        // Those that came right behind the answer to the subscription are counted already.
        reader.expect(lines - reader.updates, waiting)
        try poller.add(reader)
        try poller.run(patience: RunningProgram.patience) { waiting.left == 0 }
        return .now - start
    }

    private func fill() throws -> (BridgeHome, String) {
        let home = try BridgeHome()
        var options = options
        options.agent.linesPerWrite = max(100, options.agent.linesPerWrite)
        let stage = try Stage(programs, options, home: home)
        _ = try stage.turn(lines: lines)
        try stage.close()
        return (home, stage.sessionId)
    }
}
