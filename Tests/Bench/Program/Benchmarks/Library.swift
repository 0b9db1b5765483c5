import BenchMeasuring
import BenchSystems
import EventLoop
import Posix

/// Measures TinyvexClient as a reader: its throughput of typed updates, its delay at a steady rate, and the cost of
/// many subscriptions on its one connection, at both ends.
struct Library {
    /// The bridge's maximum number of subscriptions on one connection.
    private static let subscriptionLimit = 1_000

    private let programs: Programs
    private let options: BenchOptions

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
    }

    var trials: [Trial] {
        let rate = max(options.rate, 10_000)
        let counts = options.subscribers ?? [10, 100, Self.subscriptionLimit]
        return [
            Trial(subject: Subject(benchmark: "library: flood", settings: options.agent.settings)) { try flood() },
            Trial(subject: Subject(benchmark: "library", settings: [Setting(name: "rate", value: rate)])) {
                try steady(rate)
            },
        ]
            + counts.map { min($0, Self.subscriptionLimit) }.map { count in
                let settings = [Setting(name: "subscriptions", value: count)]
                return Trial(subject: Subject(benchmark: "library", settings: settings)) { try subscriptions(count) }
            }
    }

    private func flood() throws -> [Figure] {
        let lines = options.lines ?? 100_000
        let reader = try LibraryStage(programs, options.agent, lines: lines)
        let turn = try reader.turn()
        try reader.close()
        return [
            Figure(.updatesPerSecond, Double(lines) / turn.elapsed.seconds),
            Figure(.clientNanosecondsPerUpdate, turn.clientCPU.seconds * 1e9 / Double(lines)),
        ]
    }

    private func steady(_ rate: Int) throws -> [Figure] {
        let lines = options.lines ?? rate * 3
        let reader = try LibraryStage(programs, options.agent, rate: rate, lines: lines)
        let turn = try reader.turn()
        try reader.close()
        return [
            Figure(.updatesPerSecond, Double(lines) / turn.elapsed.seconds),
            Figure(.p50Microseconds, turn.nanosecondsLate[0] / 1e3),
            Figure(.p99Microseconds, turn.nanosecondsLate[1] / 1e3),
            Figure(.maxMicroseconds, turn.nanosecondsLate[2] / 1e3),
            Figure(.clientNanosecondsPerUpdate, turn.clientCPU.seconds * 1e9 / Double(lines)),
        ]
    }

    /// All sessions are subscribed to at once. After that, each receives its share of the updates.
    private func subscriptions(_ count: Int) throws -> [Figure] {
        let lines = options.lines ?? 20_000
        let reader = try LibraryStage(programs, options.agent, sessions: count, lines: lines)
        let turn = try reader.turn()
        try reader.close()
        return [
            Figure(.milliseconds, reader.timeToSubscribe.seconds * 1e3),
            Figure(.clientBytesPerSubscription, Double(reader.clientGrowthBytes) / Double(count)),
            Figure(.bytesPerSubscriber, Double(reader.serverGrowthBytes) / Double(count)),
            Figure(.updatesPerSecond, Double(lines) / turn.elapsed.seconds),
            Figure(.clientNanosecondsPerUpdate, turn.clientCPU.seconds * 1e9 / Double(lines)),
        ]
    }
}
