import BenchMeasuring
import BenchSystems
import EventLoop
import Posix

/// Measures readers that do not keep up. Readers at a hundredth of the stream's speed with `latest`: the age of the
/// updates that they read, and their cost. Readers that have stopped: their cost, and their effect on others.
struct SlowReaders {
    private let programs: Programs
    private let options: BenchOptions
    /// The default number of updates per second. It is the rate of a fast agent, not the limit of the machine.
    private static let streamRate = 10_000
    private static let seconds = 4
    private static let share = 100

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
    }

    var trials: [Trial] {
        let counts = options.subscribers ?? [10]
        let slow = counts.map { count in
            let settings = [Setting(name: "slow", value: count), Setting(name: "rate", value: rate)]
            return Trial(subject: Subject(benchmark: "slow-readers: latest", settings: settings)) { try lag(count) }
        }
        let stopped = [0, (options.subscribers ?? [1_000]).max() ?? 0].map { count in
            let settings = [Setting(name: "stopped", value: count)] + options.agent.settings
            return Trial(subject: Subject(benchmark: "slow-readers: stopped", settings: settings)) { try stop(count) }
        }
        return slow + stopped
    }

    private var rate: Int { options.rate == BenchOptions().rate ? Self.streamRate : options.rate }

    /// Only the second half of the time counts, because a reader's pace is unknown at first.
    private func lag(_ count: Int) throws -> [Figure] {
        let stage = try Stage(programs, options.agent, transport: options.transport, rate: rate)
        let bytesPerSecond = Double(rate * options.agent.lineBytes / Self.share)
        _ = try stage.turn(lines: rate / 2)
        let before = try stage.daemon.probe.residentBytes()
        let readers = try (0..<count).map { _ in
            try SlowReader(
                stage.daemon, sessionId: stage.sessionId, policy: "latest", bytesPerSecond: bytesPerSecond)
        }
        var peak = before
        for half in 0..<2 {
            if half == 1 { for reader in readers { reader.forgetAges() } }
            _ = try stage.turn(lines: rate * Self.seconds / 2) { now in
                for reader in readers { try reader.read(at: now) }
                peak = max(peak, try stage.daemon.probe.residentBytes())
            }
        }
        let ages = readers.reduce(Latencies()) { $0 + $1.ages }
        try stage.close()
        return Figure.percentiles(ages)
            + [ages.percentile(100).map { Figure(.maxMicroseconds, Double($0) / 1e3) }].compactMap { $0 }
            + [Figure(.residentGrowthBytes, Double(peak - before))]
    }

    /// One reader keeps up. Its turn ends when it and the editor have received everything.
    private func stop(_ count: Int) throws -> [Figure] {
        let lines = options.lines ?? 200_000
        let stage = try Stage(programs, options.agent, transport: options.transport)
        try stage.subscribe(count: 1)
        _ = try stage.turn(lines: lines)
        var stopped = try readers(count, of: stage)
        // Their sockets' buffers take the first updates, up to 200 KB each. The readers stop when the buffers are full.
        _ = try stage.turn(lines: lines)
        let turn = try stage.turn(lines: lines)
        var figures =
            [Figure(.updatesPerSecond, Double(lines) / turn.elapsed.seconds)] + turn.serverFigures(lines: lines)
        if count > 0 {
            // The cost of doubling the number of stopped readers.
            let before = try residentBytes(stage, lines: lines)
            stopped += try readers(count, of: stage)
            let growth = try residentBytes(stage, lines: lines) - before
            figures.append(Figure(.bytesPerSubscriber, Double(growth) / Double(count)))
        }
        try stage.close()
        return figures
    }

    /// The minimum over several turns, which excludes updates that temporarily wait to be stored during a flood.
    private func residentBytes(_ stage: Stage, lines: Int) throws -> Int {
        var least = Int.max
        for _ in 0..<4 {
            _ = try stage.turn(lines: lines)
            least = min(least, try stage.daemon.probe.residentBytes())
        }
        return least
    }

    private func readers(_ count: Int, of stage: Stage) throws -> [BlockingClient] {
        try (0..<count).map { _ in
            let client = try BlockingClient(stage.daemon)
            try Subscriber.subscribe(client, stage.sessionId, nil)
            return client
        }
    }
}
