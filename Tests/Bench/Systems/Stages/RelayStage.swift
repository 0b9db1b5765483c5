import BenchLoad
import BenchMeasuring
import EventLoop
import Posix

/// A relay that is not ours, with the benchmark's own agent and readers. The first reader sends the prompts.
final class RelayStage: Carrier {
    private let relay: RelayServer
    private let prompter: WebSocketClient
    private let readers: [Subscriber]
    private let poller: DescriptorPoller
    private let sessionId: String
    private var nextId = 2

    init(_ relay: RelayServer, _ agent: AgentOptions, subscribers: Int) throws {
        self.relay = relay
        prompter = try relay.connect()
        try prompter.send(AgentRequest.initialize.line(id: 0))
        _ = try AgentRequest.result(in: prompter.nextMessage())
        try prompter.send(AgentRequest.newSession.line(id: 1))
        sessionId = try AgentRequest.sessionId(in: prompter.nextMessage())
        let others = try (1..<max(1, subscribers)).map { _ in try relay.connect() }
        readers = try ([prompter] + others).map {
            try Subscriber($0, readsStamps: agent.rate != nil, takesAnswers: true)
        }
        poller = try DescriptorPoller()
        for reader in readers { try poller.add(reader) }
    }

    func turn(lines: Int) throws -> Turn {
        let waiting = Countdown()
        // The response that ends the turn arrives last.
        for reader in readers { reader.expect(lines + 1, waiting) }
        let before = try relay.probe.cpuTime()
        let start = Instant.now
        try prompter.send(AgentRequest.prompt(sessionId: sessionId, updates: lines).line(id: nextId))
        nextId += 1
        try poller.run(patience: RunningProgram.patience) { waiting.left == 0 }
        return Turn(elapsed: .now - start, serverCPU: try relay.probe.cpuTime() - before)
    }

    var latencies: Latencies { readers.reduce(Latencies()) { $0 + $1.latencies } }

    func close() throws {
        poller.removeAll()
        relay.stop()
    }
}
