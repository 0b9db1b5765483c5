/// Messages that were sent and are not known to have arrived, in order: what a connection that is lost is resumed with.
///
///     var sent = SentMessages(limitBytes: 4 << 20)
///     sent.append(line)                     // number 1
///     try sent.acknowledge(1)               // it has come, and is forgotten
///
/// Messages are numbered from 1, in each direction for itself; the numbers are never on the wire, since both ends count.
public struct SentMessages: Sendable, Codable {
    /// The two ends do not speak of the same conversation: one of them has lost what the other builds on.
    public enum Disagreement: Error, Sendable, Equatable {
        /// The peer says it has more than was ever sent.
        case neverSent
        /// The peer says it lacks what it said before it had.
        case forgotten
    }

    /// With as much waiting nothing should be added; what is added is kept nevertheless, so that the bound is this and
    /// one message.
    public let limitBytes: Int
    /// How many messages the peer is known to have.
    public private(set) var acknowledgedCount: Int64 = 0
    /// Of the messages kept.
    public private(set) var byteCount = 0
    private var messages: [[UInt8]] = []
    /// What lies before has arrived. It is cut off now and then, not with each receipt.
    private var start = 0

    private static let compactionCount = 256

    public init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// How many messages have been sent in all, which is the last one's number.
    public var count: Int64 { acknowledgedCount + Int64(messages.count - start) }

    public var isFull: Bool { byteCount >= limitBytes }

    /// Nothing is under way.
    public var isEmpty: Bool { start == messages.count }

    public mutating func append(_ message: [UInt8]) {
        messages.append(message)
        byteCount += message.count
    }

    /// The peer has so many messages in all.
    public mutating func acknowledge(_ count: Int64) throws(Disagreement) {
        guard count <= self.count else { throw .neverSent }
        guard count >= acknowledgedCount else { throw .forgotten }
        let end = start + Int(count - acknowledgedCount)
        for index in start..<end {
            byteCount -= messages[index].count
            messages[index] = []
        }
        (start, acknowledgedCount) = (end, count)
        compact()
    }

    /// Those behind the message with this number that are kept.
    public func messages(after count: Int64) -> ArraySlice<[UInt8]> {
        let passed = min(max(count, acknowledgedCount), self.count) - acknowledgedCount
        return messages[(start + Int(passed))...]
    }

    private mutating func compact() {
        guard start == messages.count || start >= Self.compactionCount && start * 2 >= messages.count else { return }
        messages.removeFirst(start)
        start = 0
    }
}
