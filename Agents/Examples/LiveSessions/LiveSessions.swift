import Foundation
import TinyvexClient

/// A list of the sessions that are live, printed anew whenever it changes.
///
///     live-sessions ws://127.0.0.1:7717
///
/// Where the bridge wants a token, it is taken from the variable `ACPBRIDGE_TOKEN`.
@main enum LiveSessions {
    /// What this program wants to know of a session. What else the bridge sends is passed over.
    struct Row: Decodable, Sendable {
        var sessionId: String
        var agent: String
        var title: String?
        var state: String
        var updateCount: Int
        var lastTs: Date?
    }

    static func main() async {
        guard CommandLine.arguments.count == 2, let endpoint = URL(string: CommandLine.arguments[1]) else {
            return fail("usage: live-sessions ENDPOINT")
        }
        let client = TinyvexClient(endpoint: endpoint)
        client.setAuthToken(ProcessInfo.processInfo.environment["ACPBRIDGE_TOKEN"])
        do throws(TinyvexError) {
            for try await rows in client.subscribe("sessions:list", params: ["live": true], as: [Row].self) {
                say("\(rows.count) live\n" + rows.map { "  \(line($0))\n" }.joined())
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func line(_ row: Row) -> String {
        let time = row.lastTs.map { " at \($0.ISO8601Format())" } ?? ""
        return
            "\(row.sessionId) \(row.agent) \(row.state), \(row.updateCount) updates\(time): \(row.title ?? "untitled")"
    }

    private static func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    private static func fail(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        exit(1)
    }
}
