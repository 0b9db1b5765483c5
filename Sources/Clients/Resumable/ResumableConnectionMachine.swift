import Resumption

/// The state of a resumable connection between a client and the bridge. Pure: it numbers the messages, keeps those that
/// could be lost, and returns those that must be sent again.
struct ResumableConnectionMachine: Codable {
    /// 4 MiB. Messages to a disconnected client wait here, up to this many bytes and the messages of one more piece that
    /// the bridge has sent. Past this, no more is taken from the bridge, so updates wait in the log.
    static let limitBytes = 4 << 20

    private var sent = SentMessages(limitBytes: limitBytes)
    /// The number of messages received from the client.
    private(set) var receivedCount: Int64 = 0
    /// Bytes of received messages that are not confirmed to the client yet.
    private var unconfirmedBytes = 0
    /// The last `receivedCount` that was sent to the client.
    private var receiptCount: Int64 = 0
    private(set) var hasLine = false

    /// True if the bridge can send no more for now.
    var isFull: Bool { sent.isFull }

    /// Returns whether a client that has received this many messages can resume this connection.
    func canResume(after count: Int64) -> Bool { (sent.acknowledgedCount...sent.count).contains(count) }

    /// Called when the client has connected with its count of received messages. Returns the messages that it lacks,
    /// which must be sent first.
    mutating func lineOpened(after count: Int64) throws(SentMessages.Disagreement) -> ArraySlice<[UInt8]> {
        try sent.acknowledge(count)
        hasLine = true
        // The handshake sends this count.
        receiptCount = receivedCount
        return sent.messages(after: count)
    }

    mutating func lineLost() { hasLine = false }

    /// Keeps a message from the bridge. Returns true if it must be sent now; otherwise it is sent when the client
    /// reconnects.
    mutating func bridgeSent(_ message: [UInt8]) -> Bool {
        sent.append(message)
        return hasLine
    }

    /// Counts a message from the client. Returns false if the client has sent more than the limit. Reading cannot be
    /// paused instead, because the client's receipts follow its messages on the same connection and would not be seen.
    mutating func clientSent(byteCount: Int) -> Bool {
        guard unconfirmedBytes < Self.limitBytes else { return false }
        receivedCount += 1
        unconfirmedBytes += byteCount
        return true
    }

    /// Called when the client has confirmed this many messages.
    mutating func receiptCame(_ count: Int64) throws(SentMessages.Disagreement) { try sent.acknowledge(count) }

    /// Called when the bridge has taken all received messages. Returns the count to confirm to the client, or nil if it
    /// has not changed or the client is away.
    mutating func takeReceipt() -> Int64? {
        unconfirmedBytes = 0
        guard hasLine, receivedCount > receiptCount else { return nil }
        receiptCount = receivedCount
        return receivedCount
    }
}
