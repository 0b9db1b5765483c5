import EventLoop

/// An agent that writes at a steady pace, one update a write, and readers that look at the clock.
struct Latency {
    private let programs: Programs
    private let options: BenchOptions

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        var options = options
        options.agent.linesPerWrite = 1
        self.options = options
    }

    var trials: [Trial] {
        (options.subscribers ?? [1]).map { count in
            let settings = [Setting(name: "subscribers", value: count), Setting(name: "rate", value: options.rate)]
            return Trial(subject: Subject(benchmark: "latency", settings: settings)) { try measure(count) }
        }
    }

    private func measure(_ subscribers: Int) throws -> [Figure] {
        let lines = options.lines ?? options.rate * 2
        let stage = try Stage(programs, options, rate: options.rate)
        try stage.subscribe(count: subscribers)
        _ = try stage.turn(lines: max(1, lines / 10))
        let turn = try stage.turn(lines: lines)
        let latencies = stage.latencies
        try stage.close()
        return Figure.percentiles(latencies)
            + [Figure(.daemonNanosecondsPerUpdate, turn.daemonCPU.seconds * 1e9 / Double(lines))]
    }
}

extension Figure {
    static func percentiles(_ latencies: Latencies) -> [Figure] {
        [(Quantity.p50Microseconds, 50.0), (.p99Microseconds, 99)].compactMap { quantity, percent in
            latencies.percentile(percent).map { Figure(quantity, Double($0) / 1e3) }
        }
    }
}
