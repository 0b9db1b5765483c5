import Foundation
import TinyvexClient

/// Prints what an agent says in a session, from its beginning and as it goes on, until the session has ended.
///
///     watch-session unix:/run/user/1000/acpbridge/bridge.sock s1
///
/// Where the bridge wants a token, it is taken from the variable `ACPBRIDGE_TOKEN`.
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

    /// A connection that is lost meanwhile is no concern of this loop: every update comes once, in order.
    private static func watch(_ session: ACPSessionId, _ client: TinyvexClient) async throws(TinyvexError) {
        for try await event in client.sessionEvents(sessionId: session) {
            switch event {
            case .update(_, let update): show(update.update)
            case .skipped(let from, let to, let reason): say("\n[\(from) to \(to) are left out: \(reason)]\n")
            case .ended(_, let end): return say("\n[the session has ended: \(end.reason)]\n")
            case .opened, .restarted, .unreadable, .notice: continue
            }
        }
    }

    private static func show(_ update: ACP.SessionUpdate) {
        switch update {
        case .agentMessageChunk(let chunk): if case .text(let content) = chunk.content { say(content.text) }
        case .toolCall(let call): say("\n[\(call.title)]\n")
        case .plan(let plan): say("\n" + plan.entries.map { "- \($0.content)\n" }.joined())
        default: break
        }
    }

    private static func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    private static func fail(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        exit(1)
    }
}
