/// The sent messages that are not yet acknowledged, in order. A lost connection is resumed with them.
///
///     var sent = SentMessages(limitBytes: 4 << 20)
///     sent.append(line)                     // number 1
///     try sent.acknowledge(1)               // it has arrived and is forgotten
///
/// Each direction numbers its messages from 1. The numbers are never on the wire, because both ends count.
package struct SentMessages: Sendable, Codable {
    /// The two ends disagree about the conversation: one of them has lost state that the other relies on.
    package enum Disagreement: Error, Sendable, Equatable {
        /// The peer reports more messages than were ever sent.
        case neverSent
        /// The peer reports fewer messages than it reported before.
        case forgotten
    }

    /// Callers should stop adding messages at this limit. A message that is added anyway is kept, so the real bound is
    /// this limit plus one message.
    package let limitBytes: Int
    /// The number of messages that the peer is known to have.
    package private(set) var acknowledgedCount: Int64 = 0
    /// The total size of the kept messages, in bytes.
    package private(set) var byteCount = 0
    private var messages: [[UInt8]] = []
    /// Messages before this index have arrived. They are removed in batches, not with each receipt.
    private var start = 0

    private static let compactionCount = 256

    package init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// The number of messages sent in total, which is also the last one's number.
    package var count: Int64 { acknowledgedCount + Int64(messages.count - start) }

    package var isFull: Bool { byteCount >= limitBytes }

    /// True when every sent message is acknowledged.
    package var isEmpty: Bool { start == messages.count }

    package mutating func append(_ message: [UInt8]) {
        messages.append(message)
        byteCount += message.count
    }

    /// Records that the peer has received `count` messages in total.
    package mutating func acknowledge(_ count: Int64) throws(Disagreement) {
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

    /// The kept messages after the one with this number.
    package func messages(after count: Int64) -> ArraySlice<[UInt8]> {
        let passed = min(max(count, acknowledgedCount), self.count) - acknowledgedCount
        return messages[(start + Int(passed))...]
    }

    private mutating func compact() {
        guard start == messages.count || start >= Self.compactionCount && start * 2 >= messages.count else { return }
        messages.removeFirst(start)
        start = 0
    }
}
