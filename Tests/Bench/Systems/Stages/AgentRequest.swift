import BenchMeasuring
import JSONRPC
import JSONScan

/// The requests of an editor to an agent, as ACP defines them.
enum AgentRequest {
    case initialize
    case newSession
    /// The benchmark's own agent responds with this number of updates.
    case prompt(sessionId: String, updates: Int)

    /// One line, without its LF.
    func line(id: Int) -> [UInt8] { MessageText.request(id: RequestID(id), method: method, params: write) }

    private var method: String {
        switch self {
        case .initialize: "initialize"
        case .newSession: "session/new"
        case .prompt: "session/prompt"
        }
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .initialize:
            writer.member("protocolVersion", 1)
            writer.memberObject("clientCapabilities") { _ in }
        case .newSession:
            writer.member("cwd", "/")
            writer.memberArray("mcpServers") { _ in }
        case .prompt(let sessionId, let updates):
            writer.member("sessionId", sessionId)
            writer.memberArray("prompt") { writer in
                writer.object { writer in
                    writer.member("type", "text")
                    writer.member("text", String(updates))
                }
            }
        }
    }

    /// The result in an agent's response.
    static func result(in line: [UInt8]) throws(BenchFailure) -> JSONValue {
        guard let result = (try? JSONValue(validating: line))?["result"] else {
            throw BenchFailure("the agent responded with \(String(decoding: line.prefix(200), as: UTF8.self))")
        }
        return result
    }

    /// The session's id in the response to ``newSession``.
    static func sessionId(in line: [UInt8]) throws(BenchFailure) -> String {
        guard let id = try result(in: line)["sessionId"]?.stringValue else {
            throw BenchFailure("the agent returned no session id")
        }
        return id
    }
}
