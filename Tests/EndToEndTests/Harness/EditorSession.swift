import AgentProcess
import JSONScan

/// An editor with one session of an agent under the bridge.
final class EditorSession {
    let process: EditorProcess
    private(set) var sessionId = ""
    /// The answer to the request that opened the session.
    private(set) var opening: JSONValue?
    private var lastId = 0

    /// - Parameters:
    ///   - agent: The command; empty if `options` name an agent.
    ///   - session: The session to load; nil creates a new one.
    ///   - version: The version of ACP that the editor asks for.
    init(
        _ agent: [SystemString], in home: BridgeHome, loading session: String? = nil, environment: [SystemString] = [],
        options: [SystemString] = [], capabilities: String = "{}", version: Int = 1
    ) throws {
        process = try EditorProcess(
            [Binary.acpbridge] + options + (agent.isEmpty ? [] : ["--"] + agent), in: home, environment: environment)
        let client =
            version == 1
            ? #""clientCapabilities":\#(capabilities)"#
            : #""info":{"name":"test","version":"1"},"capabilities":\#(capabilities)"#
        try ask("initialize", #"{"protocolVersion":\#(version),\#(client)}"#)
        if let session {
            sessionId = session
            let params = #""sessionId":"\#(session)","cwd":"\#(home.path)","mcpServers":[]"#
            opening =
                version == 1
                ? try ask("session/load", "{\(params)}")
                : try ask("session/resume", #"{\#(params),"replayFrom":{"type":"start"}}"#)
        } else {
            let answer = try ask("session/new", #"{"cwd":"\#(home.path)","mcpServers":[]}"#)
            opening = answer
            sessionId = answer["result"]?["sessionId"]?.stringValue ?? ""
        }
    }

    /// Sends a prompt without waiting for its answer.
    func send(prompt text: String) throws {
        lastId += 1
        let params = #"{"sessionId":"\#(sessionId)","prompt":[{"type":"text","text":"\#(text)"}]}"#
        try process.sendLine(
            #"{"jsonrpc":"2.0","id":\#(lastId),"method":"session/prompt","params":\#(params)}"#)
    }

    /// Sends a prompt and reads until it is answered.
    func prompt(_ text: String) throws {
        try send(prompt: text)
        try waitForAnswer()
    }

    /// Like `prompt`, in the background. An agent can continue only if its editor continues to read.
    func promptMeanwhile(_ text: String) throws -> Background<Void> { try Background { try self.prompt(text) } }

    @discardableResult
    func ask(_ method: String, _ params: String) throws -> JSONValue {
        lastId += 1
        try process.sendLine(#"{"jsonrpc":"2.0","id":\#(lastId),"method":"\#(method)","params":\#(params)}"#)
        return try waitForAnswer()
    }

    /// Returns the answer to the last request.
    @discardableResult
    func waitForAnswer() throws -> JSONValue {
        while let line = try process.readLineBytes() {
            if Self.isUpdate(line) { continue }
            let value = try JSONValue(validating: line)
            if value["id"]?.int64Value == Int64(lastId), value["method"] == nil { return value }
        }
        // The error text about the end can arrive after the end of the output.
        let outcome = try process.outcome()
        throw AgentEnded(error: outcome.errorText, status: outcome.status)
    }

    struct AgentEnded: Error {
        let error: String
        let status: TerminationStatus
    }

    /// Every `session/update` received so far, byte for byte.
    var updates: [[UInt8]] { wholeLines(of: process.outputBytes).filter(Self.isUpdate) }

    /// Ends like a closed editor: the agent ends, and its remaining output is read.
    @discardableResult
    func end() throws -> Outcome {
        process.closeInput()
        return try process.outcome()
    }

    /// The tests' agents write the method as the first member.
    static func isUpdate(_ line: [UInt8]) -> Bool { line.starts(with: updateStart) }

    private static let updateStart = Array(#"{"jsonrpc":"2.0","method":"session/update","#.utf8)
}
