import BenchMeasuring
import BenchSystems
import EventLoop
import Glibc
import Posix

/// Measures how much later the updates of a session at a steady rate with one reader arrive while the same bridge
/// handles another load. The other systems carry the updates beside a bridge that handles the load: this shows how much of
/// the delay comes from programs that compete for the processors.
final class Fairness {
    private let programs: Programs
    private let options: BenchOptions
    /// A home with an ended session of a million updates, for readers that replay it. It is written once.
    private var filled: (home: BridgeHome, sessionId: String)?
    private static let replayedUpdates = 1_000_000

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        var options = options
        options.agent.linesPerWrite = 1
        self.options = options
    }

    var trials: [Trial] {
        let loads = options.beside.map { [$0] } ?? Disturbance.allCases
        return loads.flatMap { disturbance in
            let settings = [Setting(name: "rate", value: options.rate)]
            return System.compared(options, subscribers: 1).map { system in
                let name = "fairness: \(disturbance.rawValue)"
                return Trial(subject: Subject(benchmark: name, system: system, settings: settings)) {
                    try self.measure(disturbance, system)
                }
            }
        }
    }

    private func measure(_ disturbance: Disturbance, _ system: System) throws -> [Figure] {
        let (home, ended) = try disturbance == .replay ? replayed() : (BridgeHome(), "")
        // The bridge for the load, if the updates are carried by another system.
        let daemon = system.isBridge ? nil : try BridgeDaemon(programs, home: home, transport: options.transport)
        let carrier = try system.carrier(
            programs, options.agent, transport: options.transport, home: home, rate: options.rate, subscribers: 1)
        let others = try disturbance.begin(programs, home: home, endedSession: ended)
        // The disturbance has begun at this point.
        _ = try carrier.turn(lines: options.rate)
        _ = try carrier.turn(lines: options.lines ?? options.rate * 2)
        let latencies = carrier.latencies
        for other in others { other.signal(SIGKILL) }
        try carrier.close()
        try daemon?.stop()
        return Figure.percentiles(latencies)
            + [latencies.percentile(100).map { Figure(.maxMicroseconds, Double($0) / 1e3) }].compactMap { $0 }
    }

    private func replayed() throws -> (home: BridgeHome, sessionId: String) {
        if let filled { return filled }
        let home = try BridgeHome()
        var options = options
        options.agent.linesPerWrite = 100
        let stage = try Stage(programs, options.agent, transport: options.transport, home: home)
        _ = try stage.turn(lines: Self.replayedUpdates)
        let journal = try BlockingClient(stage.daemon).call("tinyvex/history.recentSessions") { _ in }
        try stage.close()
        let found = (home, journal.elements.first?["journal"]?.stringValue ?? "")
        filled = found
        return found
    }
}
