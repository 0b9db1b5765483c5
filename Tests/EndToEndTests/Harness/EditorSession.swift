import AgentProcess
import JSONScan

/// An editor with one session of an agent that runs behind the bridge.
final class EditorSession {
    let process: EditorProcess
    private(set) var sessionId = ""
    private var lastId = 0

    /// - Parameter loading: a session to go on with; without it a new one is made.
    init(
        _ agent: [SystemString], in home: BridgeHome, loading session: String? = nil, environment: [SystemString] = [],
        options: [SystemString] = [], capabilities: String = "{}"
    ) throws {
        process = try EditorProcess(
            [Binary.acpbridge] + options + ["--"] + agent, in: home, environment: environment)
        try ask("initialize", #"{"protocolVersion":1,"clientCapabilities":\#(capabilities)}"#)
        if let session {
            sessionId = session
            try ask("session/load", #"{"sessionId":"\#(session)","cwd":"\#(home.path)","mcpServers":[]}"#)
        } else {
            let answer = try ask("session/new", #"{"cwd":"\#(home.path)","mcpServers":[]}"#)
            sessionId = answer["result"]?["sessionId"]?.stringValue ?? ""
        }
    }

    /// Sends a prompt, and does not wait for its answer.
    func send(prompt text: String) throws {
        lastId += 1
        let params = #"{"sessionId":"\#(sessionId)","prompt":[{"type":"text","text":"\#(text)"}]}"#
        try process.sendLine(
            #"{"jsonrpc":"2.0","id":\#(lastId),"method":"session/prompt","params":\#(params)}"#)
    }

    /// Sends a prompt and reads on until it is answered.
    func prompt(_ text: String) throws {
        try send(prompt: text)
        try waitForAnswer()
    }

    /// As `prompt`, while the test does other things: an editor must go on reading for its agent to go on.
    func promptMeanwhile(_ text: String) throws -> Background<Void> { try Background { try self.prompt(text) } }

    @discardableResult
    func ask(_ method: String, _ params: String) throws -> JSONValue {
        lastId += 1
        try process.sendLine(#"{"jsonrpc":"2.0","id":\#(lastId),"method":"\#(method)","params":\#(params)}"#)
        return try waitForAnswer()
    }

    /// The answer to the last request.
    @discardableResult
    func waitForAnswer() throws -> JSONValue {
        while let line = try process.readLineBytes() {
            if Self.isUpdate(line) { continue }
            let value = try JSONValue(validating: line)
            if value["id"]?.int64Value == Int64(lastId), value["method"] == nil { return value }
        }
        // What it says of its end may come behind the end of its output.
        let outcome = try process.outcome()
        throw AgentEnded(error: outcome.errorText, status: outcome.status)
    }

    struct AgentEnded: Error {
        let error: String
        let status: TerminationStatus
    }

    /// Every `session/update` that has come so far, byte for byte.
    var updates: [[UInt8]] { wholeLines(of: process.outputBytes).filter(Self.isUpdate) }

    /// As an editor that is closed: the agent ends, and what it still says is read.
    @discardableResult
    func end() throws -> Outcome {
        process.closeInput()
        return try process.outcome()
    }

    /// The tests' agents write the method before all else.
    private static func isUpdate(_ line: [UInt8]) -> Bool { line.starts(with: updateStart) }

    private static let updateStart = Array(#"{"jsonrpc":"2.0","method":"session/update","#.utf8)
}
