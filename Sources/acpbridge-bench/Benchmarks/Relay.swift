import EventLoop

/// One agent that writes as fast as it can, and readers at the end of the log.
struct Relay {
    private let programs: Programs
    private let options: BenchOptions

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
    }

    func trials(name: String, subscribers counts: [Int]) -> [Trial] {
        counts.map { count in
            let settings = [Setting(name: "subscribers", value: count)] + options.agent.settings
            return Trial(subject: Subject(benchmark: name, settings: settings)) { try measure(count) }
        }
    }

    private func measure(_ subscribers: Int) throws -> [Figure] {
        // Some seconds at most, and enough for the 10 ms ticks of CPU time.
        let lines = options.lines ?? min(300_000, max(1_000, 6_000_000 / subscribers))
        let stage = try Stage(programs, options)
        try stage.subscribe(count: subscribers)
        _ = try stage.turn(lines: max(1, lines / 10))
        let turn = try stage.turn(lines: lines)
        try stage.close()
        let rate = Double(lines) / turn.elapsed.seconds
        return [
            Figure(.updatesPerSecond, rate),
            Figure(.deliveriesPerSecond, rate * Double(subscribers)),
            Figure(.daemonNanosecondsPerUpdate, turn.daemonCPU.seconds * 1e9 / Double(lines)),
        ]
    }
}

extension Duration {
    var seconds: Double { Double(nanoseconds) / 1e9 }
}
