import Foundation
import TinyvexClient

/// Prints the list of live sessions again whenever it changes.
///
///     live-sessions ws://127.0.0.1:7717
///
/// If the bridge requires a token, the program reads it from the variable `ACPBRIDGE_TOKEN`.
@main enum LiveSessions {
    /// The members of a session that this program uses. Other members are ignored.
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
                write("\(rows.count) live\n" + rows.map { "  \(line($0))\n" }.joined())
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

    private static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    private static func fail(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        exit(1)
    }
}
