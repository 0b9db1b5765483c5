import BenchMeasuring
import BenchSystems
import EventLoop
import Posix

/// Measures the latency from an agent that writes at a steady rate, one update per write, to its readers.
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
        (options.subscribers ?? [1]).flatMap { count in
            let settings = [Setting(name: "subscribers", value: count), Setting(name: "rate", value: options.rate)]
            return System.compared(options, subscribers: count).map { system in
                Trial(subject: Subject(benchmark: "latency", system: system, settings: settings)) {
                    try measure(system, count)
                }
            }
        }
    }

    private func measure(_ system: System, _ subscribers: Int) throws -> [Figure] {
        let lines = options.lines ?? options.rate * 2
        let carrier = try system.carrier(
            programs, options.agent, transport: options.transport, rate: options.rate, subscribers: subscribers)
        _ = try carrier.turn(lines: max(1, lines / 10))
        let turn = try carrier.turn(lines: lines)
        let latencies = carrier.latencies
        try carrier.close()
        return Figure.percentiles(latencies) + turn.serverFigures(lines: lines)
    }
}

extension Figure {
    static func percentiles(_ latencies: Latencies) -> [Figure] {
        [(Quantity.p50Microseconds, 50.0), (.p99Microseconds, 99)].compactMap { quantity, percent in
            latencies.percentile(percent).map { Figure(quantity, Double($0) / 1e3) }
        }
    }
}
