/// How many messages one end of a conversation has received in all, as it tells the other.
///
/// In the handshake it is the value of a header field, on the connection a binary message: decimal digits in both places.
public enum Receipt {
    /// The header field of both the request and the response. A client that sends it asks for a conversation that
    /// outlives its connection; a server that answers with it grants that.
    public static let fieldName = "Acpbridge-Received"

    /// Names the conversation: in the response of the first handshake, and in the requests of the next.
    public static let connectionFieldName = "Acp-Connection-Id"

    public static func text(_ count: Int64) -> String { String(count) }

    /// Nil where it is no number of messages: only digits are, 18 at most.
    public static func count(_ text: some Collection<UInt8>) -> Int64? {
        guard !text.isEmpty, text.count <= 18, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
