import JSONRPC
import JSONScan

/// Messages that one line carries as a JSON array. Drafts of version 2 of ACP allow such a line, and some libraries write it in
/// version 1. Each of its messages is read as a line, and reaches only the party for which it is.
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

    /// The verdict on a line of the editor or the agent. An array from which messages are withheld is forwarded with the others,
    /// in their own bytes. A line that cannot be read is forwarded.
    ///
    /// - Parameter isWithheld: Called once for each message, in order.
    package static func verdict(
        on line: Span<UInt8>, withholding isWithheld: (Span<UInt8>, Envelope) -> Bool
    ) -> LineVerdict {
        guard let envelope = try? scanEnvelope(line), !envelope.isAmbiguous else { return .forwarded }
        guard envelope.shape == .array else {
            return envelope.shape == .object && isWithheld(line, envelope) ? .withheld : .forwarded
        }
        let messages = messages(in: line) ?? []
        let others = messages.filter { message in
            guard let envelope = try? scanEnvelope(message.span), !envelope.isAmbiguous else { return true }
            return !isWithheld(message.span, envelope)
        }
        if others.count == messages.count { return .forwarded }
        return others.isEmpty ? .withheld : .replaced(by: Self.line(of: others))
    }

    /// The messages as one line, without its line feed.
    package static func line(of messages: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + messages.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }
}
