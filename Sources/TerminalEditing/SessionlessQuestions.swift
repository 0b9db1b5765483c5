import AgentQuestions
import BridgeRequests
import JSONScan
import SessionOutput
import TerminalText
import TinyvexMachine
import TinyvexSync

/// Shows the elicitations of a session's agent that belong to no session, such as a login by a device code. They are on
/// no timeline.
package struct SessionlessQuestions: Sendable {
    private let client: CommandClient
    private let session: ListedSession
    private let output: AttachOutput
    private let dialogs: TerminalDialogs?

    /// - Parameter dialogs: Asks for the answers. Nil only shows the questions.
    package init(
        _ client: CommandClient, _ session: ListedSession, _ output: AttachOutput, _ dialogs: TerminalDialogs?
    ) {
        self.client = client
        self.session = session
        self.output = output
        self.dialogs = dialogs
    }

    /// Returns when the bridge gives no more values: an older one has no such list.
    ///
    /// - Parameter changed: Called after each change.
    package func run(_ changed: @Sendable () throws -> Void = {}) async throws {
        let params = JSONWriter.object { writer in
            writer.member("agent", session.agent)
            writer.member("requests", true)
            writer.member("sessionId", session.id)
        }
        var values = client.sync.values("elicitations:pending", params: params).makeAsyncIterator()
        var shown: [[UInt8]] = []
        while let value = await Self.next(&values) {
            let questions = Self.questions(value.text)
            // The list has at most 1,000 elements, and so has `shown`.
            for question in questions where !shown.contains(question.requestId) {
                try output.report(Self.text(question, agent: session.agent))
            }
            shown = questions.map(\.requestId)
            try dialogs?.set(sessionless: questions)
            try changed()
        }
    }

    /// The session's own stream reports a lost connection, so that errors end only this list.
    private static func next(_ values: inout StreamValues.Iterator) async -> StreamValue? {
        do throws(TinyvexError) { return try await values.next() } catch { return nil }
    }

    private static func questions(_ text: [UInt8]) -> [AgentQuestion] {
        let rows = (try? JSONValue(validating: text))?.elements ?? []
        return rows.compactMap { row in
            guard row["sessionId"] == nil, let process = row["pid"]?.int64Value, let id = row["requestId"] else {
                return nil
            }
            return AgentQuestion(requestId: id, params: row, process: process)
        }
    }

    private static func text(_ question: AgentQuestion, agent: String) -> TerminalText {
        let words: TerminalText = "acpbridge: \(agent) asks: " + question.title
        guard case .url(let url) = question.kind else { return words }
        return words + " \(url)"
    }
}
