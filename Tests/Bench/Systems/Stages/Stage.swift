import BenchLoad
import BenchMeasuring
import EventLoop
import Posix

/// A separate bridge with one agent, its editor, and readers.
package final class Stage: Carrier {
    package let daemon: BridgeDaemon
    private let editor: Editor
    private let agent: AgentOptions
    private let poller: DescriptorPoller
    private var subscribers: [Subscriber] = []
    private let sessionIds: [String]

    package init(
        _ programs: Programs, _ agent: AgentOptions, transport: ReaderTransport, home: BridgeHome? = nil,
        rate: Int? = nil,
        sessions: Int = 1
    ) throws {
        var agent = agent
        agent.rate = rate
        self.agent = agent
        let home = try home ?? BridgeHome()
        daemon = try BridgeDaemon(programs, home: home, transport: transport)
        let editor = try Editor(
            [programs.acpbridge, "--"] + programs.agent(agent), environment: home.environment, agent: agent)
        self.editor = editor
        sessionIds = try (0..<sessions).map { _ in try editor.newSession() }
        poller = try DescriptorPoller()
        try poller.add(editor)
    }

    package var sessionId: String { sessionIds[0] }

    package func subscribe(count: Int) throws {
        for _ in 0..<count {
            let subscriber = try Subscriber(
                daemon, sessionId: sessionId, lastSeq: nil, readsStamps: agent.rate != nil)
            subscribers.append(subscriber)
            try poller.add(subscriber)
        }
    }

    package func turn(lines: Int) throws -> Turn { try run(lines, tick: nil) }

    /// - Parameter tick: Called every few milliseconds during the turn.
    package func turn(lines: Int, tick: @escaping (Instant) throws -> Void) throws -> Turn {
        try run(lines, tick: tick)
    }

    private func run(_ lines: Int, tick: ((Instant) throws -> Void)?) throws -> Turn {
        let waiting = Countdown()
        for subscriber in subscribers { subscriber.expect(lines, waiting) }
        let before = try daemon.probe.cpuTime()
        let start = Instant.now
        try editor.beginTurn(sessionId, lines: lines)
        try poller.run(patience: RunningProgram.patience, tick: tick) { waiting.left == 0 && editor.isTurnOver }
        return Turn(elapsed: .now - start, serverCPU: try daemon.probe.cpuTime() - before)
    }

    package var latencies: Latencies { subscribers.reduce(Latencies()) { $0 + $1.latencies } }

    /// Readers disconnect first, because a bridge that stops would briefly wait for their close frames.
    package func close() throws {
        poller.removeAll()
        subscribers = []
        try editor.close()
        try daemon.stop()
    }
}
