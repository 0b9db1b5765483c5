import JSONScan

/// Messages that one line carries as a JSON array. Drafts of version 2 of ACP allow such a line, and some libraries write it in
/// version 1. The line passes whole between editor and agent; each of its messages is read as a line.
package enum MessageArray {
    /// More messages than an agent or an editor has to send at once.
    static let messageLimit = 1_000

    /// The messages in a line that is an array. Nil if it has none, more than ``messageLimit``, or an element that is no object:
    /// the line is then not read.
    package static func messages(in line: Span<UInt8>) -> [[UInt8]]? {
        let bytes = RequestRouter.bytes(line, 0..<line.count)
        guard let elements = (try? JSONValue(validating: bytes))?.elements(atMost: messageLimit), !elements.isEmpty,
            elements.allSatisfy({ $0.kind == .object })
        else { return nil }
        return elements.map { Array($0.rawText) }
    }
}

extension RequestRouter {
    /// True if no message of a line must be forwarded. An array is withheld only as a whole, because its parts alone would be
    /// another line than its sender has written.
    static func isWithheld(_ line: Span<UInt8>, _ isWithheld: (Span<UInt8>, Envelope) -> Bool) -> Bool {
        guard let envelope = try? scanEnvelope(line), !envelope.isAmbiguous else { return false }
        guard envelope.shape == .array else { return envelope.shape == .object && isWithheld(line, envelope) }
        return MessageArray.messages(in: line)?.allSatisfy { message in
            guard let envelope = try? scanEnvelope(message.span), !envelope.isAmbiguous else { return false }
            return isWithheld(message.span, envelope)
        } ?? false
    }
}
