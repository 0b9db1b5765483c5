import Foundation
import TinyvexClient

/// Allows the permission requests of all sessions that a rule covers, and leaves all others to people.
///
///     answer-requests unix:/run/user/1000/acpbridge/bridge.sock read search
///
/// The words after the endpoint are kinds of tool calls in ACP: `read`, `edit`, `search`, `execute` and others. A request
/// for such a call is allowed once. If the bridge requires a token, the program reads it from the variable
/// `ACPBRIDGE_TOKEN`. The token needs the role `control`.
@main enum AnswerRequests {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let endpoint = URL(string: arguments[1]) else {
            return fail("usage: answer-requests ENDPOINT KIND...")
        }
        let client = TinyvexClient(endpoint: endpoint)
        client.setAuthToken(ProcessInfo.processInfo.environment["ACPBRIDGE_TOKEN"])
        do throws(TinyvexError) {
            try await answer(Set(arguments.dropFirst(2)), client)
        } catch {
            fail("\(error)")
        }
    }

    private static func answer(_ kinds: Set<String>, _ client: TinyvexClient) async throws(TinyvexError) {
        var answered: Set<PermissionRow.ID> = []
        for try await rows in client.subscribe("permissions:pending", as: [PermissionRow].self) {
            // A request can still be in the next value after it was answered.
            answered.formIntersection(rows.map(\.id))
            for row in rows where answered.insert(row.id).inserted {
                guard let option = option(of: row, kinds) else { continue }
                await send(PermissionAnswer(to: row, optionId: option.optionId), for: row, client)
            }
        }
    }

    /// The option to choose; nil if the rule does not cover the request.
    private static func option(of row: PermissionRow, _ kinds: Set<String>) -> ACP.PermissionOption? {
        guard let kind = row.toolKind, kinds.contains(kind.rawValue) else { return nil }
        return row.options.first { $0.kind == .allowOnce }
    }

    private static func send(_ answer: PermissionAnswer, for row: PermissionRow, _ client: TinyvexClient) async {
        do throws(TinyvexError) {
            try await client.mutation("permissions:answer", args: answer)
            write("\(row.sessionId.rawValue): allowed: \(row.title ?? "a request")\n")
        } catch {
            // For example, a person was faster.
            write("\(row.sessionId.rawValue): \(error)\n")
        }
    }

    private static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    private static func fail(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        exit(1)
    }
}
