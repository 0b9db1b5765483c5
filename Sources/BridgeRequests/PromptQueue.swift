import JSONScan
import Tinyvex

/// A prompt that waits for the end of a session's turn.
package struct WaitingPrompt: Sendable {
    let queuedTs: Int64
    /// The beginning of the text; nil if the prompt has none.
    package let text: String?

    /// The bridge lists the first 1,000 Unicode scalars of a text.
    private static let shownScalars = 1_000

    /// True if these words can have been sent as the prompt.
    package func isSent(as words: String) -> Bool {
        guard let text else { return false }
        let scalars = text.unicodeScalars
        return text == words || (scalars.count >= Self.shownScalars && words.unicodeScalars.starts(with: scalars))
    }
}

extension CommandClient {
    /// The session's value of `sessions:get`, without its tool calls.
    package func details(of session: ListedSession) async throws(BridgeFailure) -> JSONValue {
        try await value("sessions:get") { writer in
            session.writeIncarnation(to: &writer)
            writer.member("toolCalls", false)
        }
    }

    /// The prompts that wait for the end of the session's turn, in order.
    package func waitingPrompts(of session: ListedSession) async throws(BridgeFailure) -> [WaitingPrompt] {
        (try await details(of: session)["queue"]?.elements ?? []).compactMap { prompt in
            prompt["queuedTs"]?.int64Value.map { WaitingPrompt(queuedTs: $0, text: prompt["text"]?.stringValue) }
        }
    }

    /// Removes the prompt from the queue. Returns false if it does not wait any longer, or if the bridge is an older one, which
    /// cannot remove it.
    package func discard(_ prompt: WaitingPrompt, of session: ListedSession) async throws(BridgeFailure) -> Bool {
        do throws(BridgeFailure) {
            _ = try await action(
                "sessions:unqueue", args: session.arguments { $0.member("queuedTs", prompt.queuedTs) })
            return true
        } catch {
            switch error.error {
            case .server(TinyvexErrorCode.mutationFailed.rawValue, _, _), .server("-32602", _, _): return false
            default: throw error
            }
        }
    }
}
