import BenchMeasuring
import Glibc
import JSONRPC
import JSONScan

/// The agent for a bridge in a benchmark. It implements as much of ACP as a prompt needs. A prompt's text is the number
/// of updates to send in response, distributed over all sessions in turn.
package final class BenchAgent {
    private let options: AgentOptions
    private var sessions: [String] = []

    package init(_ options: AgentOptions) { self.options = options }

    /// Runs until stdin ends.
    package func run() {
        var lines = LineSplitter(limitBytes: 1 << 20)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            lines.split(buffer.span.extracting(0..<count)) { line in
                if case .line(let line) = line { answer(line.withUnsafeBufferPointer { Array($0) }) }
            }
        }
    }

    private func answer(_ line: [UInt8]) {
        guard let value = try? JSONValue(validating: line),
            case .request(let id, let method, let params) = Message(value)
        else { return }
        switch method {
        case "initialize": reply(MessageText.response(id: id) { Self.writeCapabilities(to: &$0) })
        case "session/new": reply(MessageText.response(id: id) { $0.member("sessionId", newSession()) })
        case "session/prompt":
            guard flood(Self.lineCount(params)) else { return }
            reply(MessageText.response(id: id) { $0.member("stopReason", "end_turn") })
        default: reply(MessageText.errorResponse(id: id, code: .methodNotFound, message: "method not supported"))
        }
    }

    private static func writeCapabilities(to writer: inout JSONWriter) {
        writer.member("protocolVersion", 1)
        writer.memberObject("agentCapabilities") { _ in }
        writer.memberArray("authMethods") { _ in }
    }

    private func newSession() -> String {
        let id = UpdateLine.sessionId(sessions.count + 1)
        sessions.append(id)
        return id
    }

    private func flood(_ lines: Int) -> Bool {
        guard !sessions.isEmpty else { return true }
        var flood = Flood(sessions: sessions, options)
        return flood.write(lines: lines)
    }

    private static func lineCount(_ params: JSONValue?) -> Int {
        let text = params?["prompt"]?.elements.first?["text"]?.stringValue
        return text.flatMap { Int($0) } ?? 0
    }

    private func reply(_ message: [UInt8]) {
        try? BlockingWrite.all(message + [0x0a], to: STDOUT_FILENO)
    }
}
