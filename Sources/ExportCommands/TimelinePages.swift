import BridgeRequests
import CommandContext
import JSONScan

extension CommandClient {
    /// Passes the lines of a session's stored timeline to `body`, page by page.
    ///
    /// - Parameter pageEnd: Called after each page.
    func eachTimelineLine(
        of session: ListedSession, pageEnd: () -> Void = {}, _ body: ([UInt8]) throws -> Void
    ) async throws {
        var cursor: String?
        repeat {
            let page = try await action("sessions:export", args: Self.arguments(session, cursor))
            guard let text = page?["text"]?.stringBytes else {
                throw Failure(message: "the bridge sent a page without text")
            }
            for line in text.split(separator: 0x0a) { try body(Array(line)) }
            pageEnd()
            cursor = page?["nextCursor"]?.stringValue
        } while cursor != nil
    }

    private static func arguments(_ session: ListedSession, _ cursor: String?) -> [UInt8] {
        JSONWriter.object { writer in
            for (name, value) in (try? JSONValue(validating: session.params))?.members ?? [] {
                writer.member(name, raw: value.rawText)
            }
            writer.member("format", "ndjson")
            writer.member("cursor", ifPresent: cursor)
        }
    }
}
