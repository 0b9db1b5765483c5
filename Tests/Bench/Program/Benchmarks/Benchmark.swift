import BenchLoad
import BenchMeasuring
import BenchSystems

/// The benchmarks, in the order in which they run.
enum Benchmark: String, CaseIterable {
    case relay, fanout, latency, editor, replay, slowReaders = "slow-readers", fairness, ingest, memory, library, start

    var summary: String {
        switch self {
        case .relay: "updates/s from one agent through log and bridge to one reader"
        case .fanout: "updates/s from one agent to 1, 10 and 100 readers"
        case .latency: "from the agent's write to a reader's read, at a steady rate"
        case .editor: "updates/s and latency on the editor's own path, against the agent alone"
        case .replay: "updates/s of an ended session, read from a newly started bridge"
        case .slowReaders: "readers at 1 % of the stream's speed with `latest`, and 1,000 stopped readers"
        case .fairness: "latency of one session while others flood, send 64 MiB lines or replay a million updates"
        case .ingest: "updates/s into the log from many sessions, with no reader"
        case .memory: "resident memory, idle and with idle readers"
        case .library:
            "TinyvexClient: typed updates/s, delay at 10,000 a second, and 1,000 subscriptions on one connection"
        case .start: "from exec to ready, and to the response to `initialize`"
        }
    }

    func trials(_ options: BenchOptions, _ programs: Programs) -> [Trial] {
        switch self {
        case .relay: Relay(programs, options).trials(name: rawValue, subscribers: [1])
        case .fanout: Relay(programs, options).trials(name: rawValue, subscribers: options.subscribers ?? [1, 10, 100])
        case .latency: Latency(programs, options).trials
        case .editor: EditorPath(programs, options).trials
        case .replay: [Replay(programs, options).trial]
        case .slowReaders: SlowReaders(programs, options).trials
        case .fairness: Fairness(programs, options).trials
        case .ingest: [Ingest(programs, options).trial]
        case .memory: Memory(programs, options).trials
        case .library: Library(programs, options).trials
        case .start: Start(programs, options).trials
        }
    }
}

extension AgentOptions {
    var settings: [Setting] {
        [Setting(name: "lineBytes", value: lineBytes), Setting(name: "linesPerWrite", value: linesPerWrite)]
    }
}

extension System {
    /// acpbridge and the systems that it is compared with for this number of readers.
    static func compared(_ options: BenchOptions, subscribers: Int) -> [System] {
        [.acpbridge] + options.against.filter { $0.carries(to: subscribers) }
    }
}
