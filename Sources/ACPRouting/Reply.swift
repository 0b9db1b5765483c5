import JSONRPC
import JSONScan

/// An answer from the agent or a client, as it was written.
package struct Reply: Equatable {
    package var result: [UInt8]?
    package var error: [UInt8]?

    package init(_ envelope: Envelope, _ line: Span<UInt8>) {
        result = envelope.result.map { RequestRouter.bytes(line, $0) }
        error = envelope.error.map { RequestRouter.bytes(line, $0) }
    }

    package init(_ message: JSONValue) {
        result = message["result"].map { Array($0.rawText) }
        error = message["error"].map { Array($0.rawText) }
    }

    package init(result: [UInt8]) { self.result = result }

    package init(error code: ErrorCode, _ message: String) {
        error = JSONWriter.object { writer in
            writer.member("code", code.rawValue)
            writer.member("message", message)
        }
    }

    /// The complete message, with the id under which its reader knows the request.
    func text(id: RequestID) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", id)
            write(to: &writer)
        }
    }

    /// `{"stopReason":"end_turn"}`, or `{"error":{…}}`.
    var outcome: [UInt8] {
        if let result { return result }
        return JSONWriter.object { write(to: &$0) }
    }

    func write(to writer: inout JSONWriter) {
        if let result { writer.member("result", raw: result) }
        if let error { writer.member("error", raw: error) }
    }
}
