import AgentProcess
import Testing

/// Runs `script` with the agent itself and then through the bridge. Expects that its editor could not distinguish the
/// two runs: the same bytes on stdout and stderr, and the same exit.
@discardableResult
func expectTransparent(
    _ agent: [SystemString], environment: [SystemString] = [], fileModeMask: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ script: (EditorProcess) throws -> Void
) throws -> Outcome {
    try BridgeHome.with { home in
        let outcomes = try [agent, BridgeHome.bridged(agent)].map { command in
            let editor = try EditorProcess(
                command, in: home, environment: environment, fileModeMask: fileModeMask)
            try script(editor)
            return try editor.outcome()
        }
        expectSame(outcomes[1], outcomes[0], sourceLocation: sourceLocation)
        return outcomes[1]
    }
}

/// `rude-agent` with these arguments.
func rude(_ words: SystemString...) -> [SystemString] { [Binary.rudeAgent] + words }

/// A shell script as the agent.
func shell(_ script: String, _ arguments: SystemString...) -> [SystemString] {
    ["/bin/sh", "-c", SystemString(script), "agent"] + arguments
}

extension EditorProcess {
    /// Sends a line and reads lines up to the one that contains `part`.
    @discardableResult
    func exchange(_ line: String, until part: String) throws -> [String] {
        try sendLine(line)
        return try readLines(until: part)
    }

    /// Returns the lines up to and including the first that contains `part`.
    @discardableResult
    func readLines(until part: String) throws -> [String] {
        var lines: [String] = []
        while let line = try readLine() {
            lines.append(line)
            if line.contains(part) { return lines }
        }
        throw Overdue("a line contains \(part): the output ended after \(lines)")
    }

    /// Sends `initialize` and `session/new`, with the ids 0 and 1.
    func openSession() throws {
        try exchange(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#, until: "result")
        try exchange(newSession(id: "1"), until: #""id":1,"result""#)
    }

    func newSession(id: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#
    }

    func prompt(id: String, session: String = "rude-1") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"session/prompt","#
            + #""params":{"sessionId":"\#(session)","prompt":[{"type":"text","text":"Hello"}]}}"#
    }
}
