import Resumption

/// A conversation between a client and the bridge that outlives the connections it is held on. Pure: it numbers what
/// passes, keeps what may have been lost, and says what is to be sent anew.
struct RelayMachine: Codable {
    /// What is said to a client that has gone waits here up to this many bytes, and one message more; past it the bridge
    /// is not read from, so that updates wait in the log.
    static let limitBytes = 4 << 20

    private var sent = SentMessages(limitBytes: limitBytes)
    /// Messages of the client's that have come.
    private(set) var receivedCount: Int64 = 0
    /// Of those that it was not told of yet.
    private var unconfirmedBytes = 0
    /// What the client was told of that last.
    private var receiptCount: Int64 = 0
    private(set) var hasLine = false

    /// The bridge may say no more for now.
    var isFull: Bool { sent.isFull }

    /// Whether a client that says it has so many messages speaks of this conversation.
    func canGoOn(after count: Int64) -> Bool { (sent.acknowledgedCount...sent.count).contains(count) }

    /// The client is there, and has so many messages: those it lacks, to be sent before all else.
    mutating func lineOpened(after count: Int64) throws(SentMessages.Disagreement) -> ArraySlice<[UInt8]> {
        try sent.acknowledge(count)
        hasLine = true
        // Told in the handshake.
        receiptCount = receivedCount
        return sent.messages(after: count)
    }

    mutating func lineLost() { hasLine = false }

    /// Returns whether it is to be sent now; otherwise it will be when the client is there.
    mutating func bridgeSaid(_ message: [UInt8]) -> Bool {
        sent.append(message)
        return hasLine
    }

    /// A message of the client's has come. False where it sends more than it may: its receipts stand in line behind its
    /// messages, and would not be seen were it left unread.
    mutating func clientSaid(byteCount: Int) -> Bool {
        guard unconfirmedBytes < Self.limitBytes else { return false }
        receivedCount += 1
        unconfirmedBytes += byteCount
        return true
    }

    /// The client has so many messages.
    mutating func receiptCame(_ count: Int64) throws(SentMessages.Disagreement) { try sent.acknowledge(count) }

    /// All that has come was taken: what to tell the client of it, if there is something new.
    mutating func takeReceipt() -> Int64? {
        unconfirmedBytes = 0
        guard hasLine, receivedCount > receiptCount else { return nil }
        receiptCount = receivedCount
        return receivedCount
    }
}
