import BenchLoad
import BenchMeasuring
import EventLoop
import Posix

/// Only an agent and its editor: directly, or as `acpbridge -- agent`.
package final class EditorStage: Carrier {
    private let home: BridgeHome
    private let daemon: BridgeDaemon?
    private let editor: Editor
    private let poller: DescriptorPoller
    private let sessionId: String

    package init(_ programs: Programs, _ agent: AgentOptions, bridged: Bool) throws {
        home = try BridgeHome()
        daemon = bridged ? try BridgeDaemon(programs, home: home, transport: .socket) : nil
        let launcher = bridged ? [programs.acpbridge, "--"] : []
        editor = try Editor(launcher + programs.agent(agent), environment: home.environment, agent: agent)
        poller = try DescriptorPoller()
        try poller.add(editor)
        sessionId = try editor.newSession()
    }

    package func turn(lines: Int) throws -> Turn {
        let before = try daemon?.probe.cpuTime()
        let start = Instant.now
        try editor.beginTurn(sessionId, lines: lines)
        try poller.run(patience: RunningProgram.patience) { editor.isTurnOver }
        let elapsed = Instant.now - start
        let after = try daemon?.probe.cpuTime()
        return Turn(elapsed: elapsed, serverCPU: before.flatMap { before in after.map { $0 - before } })
    }

    package var latencies: Latencies { editor.latencies }

    package func close() throws {
        poller.removeAll()
        try editor.close()
        try daemon?.stop()
    }
}
