import BenchMeasuring
import BenchSystems
import EventLoop
import Posix

/// Measures one agent that writes as fast as it can, with readers at the end of its stream.
struct Relay {
    private let programs: Programs
    private let options: BenchOptions

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
    }

    func trials(name: String, subscribers counts: [Int]) -> [Trial] {
        counts.flatMap { count in
            let settings = [Setting(name: "subscribers", value: count)] + options.agent.settings
            return System.compared(options, subscribers: count).map { system in
                Trial(subject: Subject(benchmark: name, system: system, settings: settings)) {
                    try measure(system, count)
                }
            }
        }
    }

    private func measure(_ system: System, _ subscribers: Int) throws -> [Figure] {
        // Takes a few seconds at most.
        let lines = (options.lines ?? min(300_000, max(1_000, 6_000_000 / subscribers))) / system.slowness(subscribers)
        let carrier = try system.carrier(
            programs, options.agent, transport: options.transport, subscribers: subscribers)
        _ = try carrier.turn(lines: max(1, lines / 10))
        let turn = try carrier.turn(lines: lines)
        try carrier.close()
        let rate = Double(lines) / turn.elapsed.seconds
        return [
            Figure(.updatesPerSecond, rate),
            Figure(.deliveriesPerSecond, rate * Double(subscribers)),
        ] + turn.serverFigures(lines: lines)
    }
}

extension Turn {
    func serverFigures(lines: Int) -> [Figure] {
        serverCPU.map { [Figure(.serverNanosecondsPerUpdate, $0.seconds * 1e9 / Double(lines))] } ?? []
    }
}

extension System {
    /// A slow system is given fewer updates by this factor, so that its runs do not take most of the time.
    fileprivate func slowness(_ subscribers: Int) -> Int { self == .python ? (subscribers == 1 ? 10 : 40) : 1 }
}
