import JSONRPC
import JSONScan

@testable import acpbridge_demo_agent

/// A client of an agent machine in the same process, with a clock that the test advances.
struct Client {
    var machine: AgentMachine
    var now = Duration.zero
    private var requestCount = 100

    init(capabilities: String = "{}", keepsRecords: Bool = false, restoring records: [SessionRecord] = []) {
        machine = AgentMachine(
            .init(sessionPrefix: "t", startedAtUnixSeconds: 1_795_233_715, keepsRecords: keepsRecords),
            restoring: records)
        request("initialize", #"{"protocolVersion":1,"clientCapabilities":\#(capabilities)}"#)
        _ = machine.takeOutput()
    }

    static let everything =
        #"{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"session":{"configOptions":{"boolean":{}}}}"#

    /// A client with the open session `demo-t-1`.
    static func inSession(capabilities: String = "{}", keepsRecords: Bool = false) -> Client {
        var client = Client(capabilities: capabilities, keepsRecords: keepsRecords)
        client.request("session/new", #"{"cwd":"/project","mcpServers":[]}"#)
        _ = client.machine.takeOutput()
        return client
    }

    mutating func send(_ line: String) {
        machine.receive(Array(line.utf8), at: now)
    }

    /// Sends a request. Ids start at 101.
    mutating func request(_ method: String, _ params: String) {
        requestCount += 1
        send(#"{"jsonrpc":"2.0","id":\#(requestCount),"method":"\#(method)","params":\#(params)}"#)
    }

    mutating func prompt(_ text: String, session: String = "demo-t-1") {
        request("session/prompt", #"{"sessionId":"\#(session)","prompt":[{"type":"text","text":"\#(text)"}]}"#)
    }

    mutating func respond(_ id: Int, _ result: String) {
        send(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
    }

    mutating func cancel(session: String = "demo-t-1") {
        send(#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"\#(session)"}}"#)
    }

    /// The agent's output since the last call.
    mutating func received() throws -> [JSONValue] {
        let lines = machine.takeOutput().split(separator: 0x0a, omittingEmptySubsequences: false)
        // Every line ends with a line feed, so the last element is empty.
        return try lines.dropLast().map { try JSONValue(validating: Array($0)) }
    }

    /// Advances the time until every turn waits for a response or has ended.
    mutating func settle() throws -> [JSONValue] {
        var messages: [JSONValue] = []
        repeat {
            machine.advance(to: now)
            messages += try received()
            now = max(now, machine.wake ?? now)
        } while machine.wake != nil
        return messages
    }

    /// Answers each request of the agent with the result for its method, until the turn has ended.
    mutating func settle(answering results: [String: String]) throws -> [JSONValue] {
        var messages = try settle()
        while let ask = messages.last, let method = ask["method"]?.stringValue, let id = ask["id"]?.int64Value,
            let result = results[method]
        {
            respond(Int(id), result)
            messages += try settle()
        }
        return messages
    }
}

extension JSONValue {
    /// Returns the member at a path: `message["params", "update", "status"]`.
    subscript(_ first: String, _ second: String, _ rest: String...) -> JSONValue? {
        ([second] + rest).reduce(self[first]) { value, name in value?[name] }
    }

    var updateKind: String? { self["params", "update", "sessionUpdate"]?.stringValue }

    /// A short text for the message, so that a turn reads as a list: kind and status of an update, a method, or the
    /// end of the turn.
    var summary: String {
        if let reason = self["result", "stopReason"]?.stringValue { return reason }
        if let code = self["error", "code"]?.int64Value { return "error \(code)" }
        guard let update = self["params", "update"] else { return self["method"]?.stringValue ?? "response" }
        let status = update["status"]?.stringValue.map { " \($0)" } ?? ""
        return (update["sessionUpdate"]?.stringValue ?? "?") + status
    }
}

extension [JSONValue] {
    /// The summaries, with consecutive duplicates removed.
    var outline: [String] {
        reduce(into: []) { outline, message in
            if outline.last != message.summary { outline.append(message.summary) }
        }
    }

    func text(of kind: String) -> String {
        filter { $0.updateKind == kind }.compactMap { $0["params", "update", "content", "text"]?.stringValue }.joined()
    }
}
