import BenchLoad
import BenchMeasuring
import BenchSystems
import EventLoop
import Posix

/// Measures the overhead of the bridge between an agent and its editor: the same agent alone, and as `acpbridge --
/// agent`.
struct EditorPath {
    private let programs: Programs
    private let options: BenchOptions

    init(_ programs: Programs, _ options: BenchOptions) {
        self.programs = programs
        self.options = options
    }

    var trials: [Trial] {
        [System.direct, .acpbridge].flatMap { system in
            [
                Trial(subject: subject(system, options.agent.settings)) { try throughput(system) },
                Trial(subject: subject(system, [Setting(name: "rate", value: options.rate)])) { try latency(system) },
            ]
        }
    }

    private func subject(_ system: System, _ settings: [Setting]) -> Subject {
        Subject(benchmark: "editor", system: system, settings: settings)
    }

    private func throughput(_ system: System) throws -> [Figure] {
        let lines = options.lines ?? 300_000
        let (turn, _) = try turn(system, options.agent, lines: lines)
        return [Figure(.updatesPerSecond, Double(lines) / turn.elapsed.seconds)] + turn.serverFigures(lines: lines)
    }

    private func latency(_ system: System) throws -> [Figure] {
        var agent = options.agent
        agent.linesPerWrite = 1
        agent.rate = options.rate
        let (_, latencies) = try turn(system, agent, lines: options.lines ?? options.rate * 2)
        return Figure.percentiles(latencies)
    }

    private func turn(_ system: System, _ agent: AgentOptions, lines: Int) throws -> (Turn, Latencies) {
        let stage = try EditorStage(programs, agent, bridged: system == .acpbridge)
        _ = try stage.turn(lines: max(1, lines / 10))
        let turn = try stage.turn(lines: lines)
        let latencies = stage.latencies
        try stage.close()
        return (turn, latencies)
    }
}
