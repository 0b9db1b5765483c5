/// Something that carries an agent's updates to readers: a bridge, another relay, or the agent's own pipe.
protocol Carrier: AnyObject {
    /// Has the agent write so many updates; returns when its turn is over and every reader has all of them.
    func turn(lines: Int) throws -> Turn
    /// Of all readers, in the turn before.
    var latencies: Latencies { get }
    func close() throws
}

/// What one turn took.
struct Turn {
    /// From the prompt until the last reader had the last update.
    let elapsed: Duration
    /// Of the process between the agent and its readers; nil where there is none.
    let serverCPU: Duration?
}

extension System {
    /// Sets it up with the benchmark's own agent.
    func carrier(
        _ programs: Programs, _ options: BenchOptions, rate: Int? = nil, subscribers: Int
    ) throws -> any Carrier {
        var agent = options.agent
        agent.rate = rate
        switch self {
        case .direct: return try EditorStage(programs, agent, bridged: false)
        case .acpbridge, .tls, .deflate:
            let stage = try Stage(programs, options, transport: transport(options), rate: rate)
            try stage.subscribe(count: subscribers)
            return stage
        case .websocketd, .python, .c:
            return try RelayStage(
                RelayServer(self, programs, command: programs.agent(agent)), agent, subscribers: subscribers)
        }
    }

    /// Whether it can have so many readers of one agent.
    func carries(to subscribers: Int) -> Bool {
        switch self {
        case .acpbridge, .tls, .deflate, .python, .c: true
        // It starts an agent for each client.
        case .websocketd: subscribers == 1
        case .direct: subscribers == 1
        }
    }

    /// How readers reach it.
    func transport(_ options: BenchOptions) -> Transport {
        switch self {
        case .tls: .tls
        case .deflate: .deflate
        default: options.transport
        }
    }

    /// acpbridge, and what it is held against with so many readers.
    static func compared(_ options: BenchOptions, subscribers: Int) -> [System] {
        [.acpbridge] + options.against.filter { $0.carries(to: subscribers) }
    }
}
