/// The number of messages that one end of a conversation has received in total, as reported to the other end.
///
/// The count is the value of a header field in the handshake, and a binary message on the connection: decimal digits in
/// both.
package enum Receipt {
    /// The header field of both the request and the response. A client sends it to ask for a conversation that outlives
    /// its connection. A server grants that by including it in its response.
    package static let fieldName = "Acpbridge-Received"

    /// The header field with the conversation's name: in the response of the first handshake, and in later requests.
    package static let connectionFieldName = "Acp-Connection-Id"

    package static func text(_ count: Int64) -> String { String(count) }

    /// Returns nil when the text is not a message count. A count consists of 1 to 18 digits.
    package static func count(_ text: some Collection<UInt8>) -> Int64? {
        guard !text.isEmpty, text.count <= 18, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
