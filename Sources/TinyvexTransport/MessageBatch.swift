/// Text messages in the order they came, in one buffer.
public struct MessageBatch: Sendable, Equatable {
    /// A transport stops adding messages once a batch has this many bytes. A batch is therefore at most this size plus
    /// one message.
    public static let sizeHintBytes = 1 << 20

    /// The messages' bytes, one after the other.
    public private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// The last binary message received with these texts, at any position among them. Earlier ones are dropped, because
    /// in every protocol here the last binary message supersedes them.
    public private(set) var lastBinary: [UInt8]?

    public init() {}

    /// The number of text messages.
    public var count: Int { ends.count }
    public var isEmpty: Bool { ends.isEmpty && lastBinary == nil }

    public mutating func keep(binary message: [UInt8]) { lastBinary = message }

    /// The range in `bytes` of the message with this index.
    public subscript(index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    public mutating func append(_ message: Span<UInt8>) {
        message.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    public mutating func append(_ message: some Collection<UInt8>) {
        bytes.append(contentsOf: message)
        ends.append(bytes.count)
    }

    /// Appends another batch to this one.
    public mutating func append(_ other: MessageBatch) {
        guard !isEmpty else { return self = other }
        lastBinary = other.lastBinary ?? lastBinary
        let start = bytes.count
        bytes.append(contentsOf: other.bytes)
        ends.append(contentsOf: other.ends.lazy.map { start + $0 })
    }
}
