import ACPMethods
import ACPRouting
import JSONRPC
import JSONScan

/// The conversation of an ACP client that starts an agent and opens one session, a new one or an earlier one. Pure: lines in,
/// lines out.
///
/// The client offers the agent no services. It answers each request of the agent with an error, except elicitations: other
/// clients of the bridge can answer those.
struct SessionStart {
    /// The state after a line.
    enum Progress: Equatable {
        case waiting
        case opened(sessionId: String)
        case failed(String)
    }

    private static let initializeID = RequestID(1)
    private static let sessionID = RequestID(2)
    private static let promptID = RequestID(3)

    private let folder: String
    private let version: String
    /// The id of the session to continue; nil for a new one.
    private let earlier: String?
    /// Whole lines with their line feeds, for the agent.
    private(set) var output: [UInt8] = []
    private(set) var progress = Progress.waiting
    /// The first line that is not JSON, which an agent does not write.
    private(set) var strangeLine: String?
    /// The message, and the page to open, of the agent's newest elicitation.
    private(set) var question: String?
    /// The names of the agent's ways to log in.
    private var logins: [String] = []

    /// - Parameters:
    ///   - folder: The folder in which the session works, as an absolute path.
    ///   - version: The version of this program.
    ///   - earlier: The id of the session to continue; nil for a new one.
    init(folder: String, version: String, continuing earlier: String? = nil) {
        self.folder = folder
        self.version = version
        self.earlier = earlier
        send(
            MessageText.request(id: Self.initializeID, method: "initialize") { writer in
                writer.member("protocolVersion", 1)
                // The terminal and `acpbridge answer` show forms and links, and all clients show subagents.
                writer.memberObject("clientCapabilities") { writer in
                    writer.memberObject("elicitation") { writer in
                        writer.memberObject("form") { _ in }
                        writer.memberObject("url") { _ in }
                    }
                    writer.memberObject("subagents") { _ in }
                }
                writer.memberObject("clientInfo") { writer in
                    writer.member("name", "acpbridge")
                    writer.member("version", version)
                }
            })
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Sends a prompt. Its answer is not awaited; the timeline has the turn.
    mutating func prompt(_ text: String, session: String) {
        send(
            MessageText.request(id: Self.promptID, method: "session/prompt") { writer in
                writer.member("sessionId", session)
                writer.memberArray("prompt") { writer in
                    writer.element(
                        raw: JSONWriter.object { writer in
                            writer.member("type", "text")
                            writer.member("text", text)
                        })
                }
            })
    }

    /// Handles a line of the agent. A line that is not a JSON-RPC message is ignored.
    mutating func received(_ line: [UInt8]) {
        guard let message = try? JSONValue(validating: line) else {
            if strangeLine == nil, !line.isEmpty { strangeLine = String(decoding: line, as: UTF8.self) }
            return
        }
        guard let id = message["id"].flatMap(RequestID.init) else { return }
        if let method = message["method"]?.stringValue {
            // It waits for `acpbridge answer`, as after the start.
            if method == ACPMethod.elicitationCreate.name { return note(question: message["params"]) }
            return refuse(id)
        }
        switch id {
        case Self.initializeID: initialized(message)
        case Self.sessionID: opened(message)
        default: break
        }
    }

    private mutating func note(question params: JSONValue?) {
        question = [params?["message"]?.stringValue, params?["url"]?.stringValue].compactMap(\.self).joined(
            separator: " ")
    }

    private mutating func initialized(_ message: JSONValue) {
        if let failure = Self.failure(message) { return progress = .failed("the agent cannot start: \(failure)") }
        logins = (message["result"]?["authMethods"]?.elements ?? []).compactMap { method in
            method["name"]?.stringValue ?? method["id"]?.stringValue
        }
        guard earlier != nil else { return open(.sessionNew) }
        guard let result = message["result"], let method = ACPMethod.continuing(afterInitialize: result) else {
            return progress = .failed("the agent cannot continue sessions")
        }
        open(method)
    }

    private mutating func open(_ method: ACPMethod) {
        send(
            MessageText.request(id: Self.sessionID, method: method.name) { [folder, earlier] writer in
                writer.member("sessionId", ifPresent: earlier)
                writer.member("cwd", folder)
                writer.memberArray("mcpServers") { _ in }
            })
    }

    private mutating func opened(_ message: JSONValue) {
        if let result = message["result"], let session = earlier ?? result["sessionId"]?.stringValue {
            return progress = .opened(sessionId: session)
        }
        let failure = Self.failure(message) ?? "its answer has no session"
        // ACP's error for a client that must log in first.
        let needsLogin = message["error"]?["code"]?.int64Value == -32000
        let ways = logins.isEmpty ? "" : ": \(logins.joined(separator: ", "))"
        progress = .failed(
            needsLogin
                ? "the agent requires you to log in first\(ways) (\(failure))"
                : "the agent did not \(earlier == nil ? "open a session" : "continue the session"): \(failure)")
    }

    private static func failure(_ message: JSONValue) -> String? {
        guard let error = message["error"] else { return nil }
        return error["message"]?.stringValue ?? error.rawString
    }

    private mutating func refuse(_ id: RequestID) {
        send(
            MessageText.errorResponse(
                id: id, code: .methodNotFound, message: "acpbridge run offers no services to the agent"))
    }

    private mutating func send(_ line: [UInt8]) { output += line + [0x0A] }
}
