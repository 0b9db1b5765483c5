import BenchLoad
import BenchMeasuring

/// A system that carries an agent's updates to readers: a bridge, another relay, or the agent's own pipe.
package protocol Carrier: AnyObject {
    /// Makes the agent write `lines` updates. Returns when its turn is over and every reader has received all of them.
    func turn(lines: Int) throws -> Turn
    /// The latencies of all readers in the previous turn.
    var latencies: Latencies { get }
    func close() throws
}

/// The cost of one turn.
package struct Turn {
    /// The time from the prompt until the last reader has received the last update.
    package let elapsed: Duration
    /// The CPU time of the process between the agent and its readers, or nil when there is none.
    package let serverCPU: Duration?
}

extension System {
    /// Starts the system with the benchmark's own agent.
    ///
    /// - Parameter home: The home of a bridge; nil for one of its own.
    package func carrier(
        _ programs: Programs, _ agent: AgentOptions, transport: ReaderTransport, home: BridgeHome? = nil,
        rate: Int? = nil, subscribers: Int
    ) throws -> any Carrier {
        var agent = agent
        agent.rate = rate
        switch self {
        case .direct: return try EditorStage(programs, agent, bridged: false)
        case .acpbridge, .tls, .deflate:
            let stage = try Stage(programs, agent, transport: self.transport(or: transport), home: home, rate: rate)
            try stage.subscribe(count: subscribers)
            return stage
        case .websocketd, .python, .c:
            return try RelayStage(
                RelayServer(self, programs, command: programs.agent(agent)), agent, subscribers: subscribers)
        }
    }

    /// Whether the system supports this number of readers of one agent.
    package func carries(to subscribers: Int) -> Bool {
        switch self {
        case .acpbridge, .tls, .deflate, .python, .c: true
        // websocketd starts an agent for each client.
        case .websocketd: subscribers == 1
        case .direct: subscribers == 1
        }
    }

    /// The transport that readers use: the one that defines this system, or else `other`.
    package func transport(or other: ReaderTransport) -> ReaderTransport {
        switch self {
        case .tls: .tls
        case .deflate: .deflate
        default: other
        }
    }
}
