import EventLoop

/// What the bridge adds between an agent and its editor: the same agent alone, and as `acpbridge -- agent`.
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
        let (_, elapsed) = try turn(system, options.agent, lines: lines)
        return [Figure(.updatesPerSecond, Double(lines) / elapsed.seconds)]
    }

    private func latency(_ system: System) throws -> [Figure] {
        var agent = options.agent
        agent.linesPerWrite = 1
        agent.rate = options.rate
        let (latencies, _) = try turn(system, agent, lines: options.lines ?? options.rate * 2)
        return Figure.percentiles(latencies)
    }

    private func turn(_ system: System, _ agent: AgentOptions, lines: Int) throws -> (Latencies, Duration) {
        let home = try BridgeHome()
        let daemon = system == .direct ? nil : try BridgeDaemon(programs, home: home, usesTCP: false)
        let front = system == .direct ? [] : [programs.acpbridge, "--"]
        let editor = try Editor(front + programs.agent(agent), environment: home.environment, agent: agent)
        let poller = try Poller()
        try poller.add(editor)
        let session = try editor.newSession()
        var elapsed = Duration.zero
        for count in [max(1, lines / 10), lines] {
            let start = Instant.now
            try editor.beginTurn(session, lines: count)
            try poller.run(patience: RunningProgram.patience) { editor.isTurnOver }
            elapsed = .now - start
        }
        let latencies = editor.latencies
        try editor.close()
        try daemon?.stop()
        return (latencies, elapsed)
    }
}
