import EventLoop
import Posix

/// A separate bridge with one agent, its editor, and readers.
final class Stage: Carrier {
    let daemon: BridgeDaemon
    private let editor: Editor
    private let agent: AgentOptions
    private let poller: Poller
    private var subscribers: [Subscriber] = []
    private let sessionIds: [String]

    init(
        _ programs: Programs, _ options: BenchOptions, home: BridgeHome? = nil, transport: Transport? = nil,
        rate: Int? = nil,
        sessions: Int = 1
    ) throws {
        var agent = options.agent
        agent.rate = rate
        self.agent = agent
        let home = try home ?? BridgeHome()
        daemon = try BridgeDaemon(programs, home: home, transport: transport ?? options.transport)
        let editor = try Editor(
            [programs.acpbridge, "--"] + programs.agent(agent), environment: home.environment, agent: agent)
        self.editor = editor
        sessionIds = try (0..<sessions).map { _ in try editor.newSession() }
        poller = try Poller()
        try poller.add(editor)
    }

    var sessionId: String { sessionIds[0] }

    func subscribe(count: Int) throws {
        for _ in 0..<count {
            let subscriber = try Subscriber(
                daemon, sessionId: sessionId, lastSeq: nil, readsStamps: agent.rate != nil)
            subscribers.append(subscriber)
            try poller.add(subscriber)
        }
    }

    func turn(lines: Int) throws -> Turn { try run(lines, tick: nil) }

    /// - Parameter tick: Called every few milliseconds during the turn.
    func turn(lines: Int, tick: @escaping (Instant) throws -> Void) throws -> Turn { try run(lines, tick: tick) }

    private func run(_ lines: Int, tick: ((Instant) throws -> Void)?) throws -> Turn {
        let waiting = Countdown()
        for subscriber in subscribers { subscriber.expect(lines, waiting) }
        let before = try daemon.probe.cpuTime()
        let start = Instant.now
        try editor.beginTurn(sessionId, lines: lines)
        try poller.run(patience: RunningProgram.patience, tick: tick) { waiting.left == 0 && editor.isTurnOver }
        return Turn(elapsed: .now - start, serverCPU: try daemon.probe.cpuTime() - before)
    }

    var latencies: Latencies { subscribers.reduce(Latencies()) { $0 + $1.latencies } }

    /// Readers disconnect first, because a bridge that stops would briefly wait for their close frames.
    func close() throws {
        poller.removeAll()
        subscribers = []
        try editor.close()
        try daemon.stop()
    }
}
