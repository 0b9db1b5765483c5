import Foundation
import TinyvexClient

/// Prints an agent's output in a session, from the beginning and then live, until the session has ended.
///
///     watch-session unix:/run/user/1000/acpbridge/bridge.sock s1
///
/// If the bridge requires a token, the program reads it from the variable `ACPBRIDGE_TOKEN`.
@main enum WatchSession {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let endpoint = URL(string: arguments[1]) else {
            return fail("usage: watch-session ENDPOINT SESSION")
        }
        let client = TinyvexClient(endpoint: endpoint)
        client.setAuthToken(ProcessInfo.processInfo.environment["ACPBRIDGE_TOKEN"])
        do throws(TinyvexError) {
            try await watch(ACPSessionId(rawValue: arguments[2]), client)
        } catch {
            fail("\(error)")
        }
    }

    /// The library handles lost connections: each update arrives once and in order.
    private static func watch(_ session: ACPSessionId, _ client: TinyvexClient) async throws(TinyvexError) {
        for try await event in client.sessionEvents(sessionId: session) {
            switch event {
            case .update(_, let update): show(update.update)
            case .skipped(let from, let to, let reason): write("\n[updates \(from) to \(to) were dropped: \(reason)]\n")
            case .ended(_, let end): return write("\n[the session has ended: \(end.reason)]\n")
            case .opened, .restarted, .unreadable, .notice: continue
            }
        }
    }

    private static func show(_ update: ACP.SessionUpdate) {
        switch update {
        case .agentMessageChunk(let chunk): if case .text(let content) = chunk.content { write(content.text) }
        case .toolCall(let call): write("\n[\(call.title)]\n")
        case .plan(let plan): write("\n" + plan.entries.map { "- \($0.content)\n" }.joined())
        default: break
        }
    }

    private static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    private static func fail(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        exit(1)
    }
}
