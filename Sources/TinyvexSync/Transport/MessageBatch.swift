/// Text messages in the order they came, in one buffer.
public struct MessageBatch: Sendable {
    /// A transport stops adding to a batch that has as many bytes, so a batch is at most this and one message long.
    public static let sizeHintBytes = 1 << 20

    /// The messages' bytes, one behind the other.
    public private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// The last binary message that came with them, wherever among them. No protocol here has more to say in binary than
    /// the last such message does.
    public private(set) var lastBinary: [UInt8]?

    public init() {}

    /// Of texts.
    public var count: Int { ends.count }
    public var isEmpty: Bool { ends.isEmpty && lastBinary == nil }

    public mutating func keep(binary message: [UInt8]) { lastBinary = message }

    /// Where in `bytes` the message with this index lies.
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

    /// Puts another batch behind this one.
    public mutating func append(_ other: MessageBatch) {
        guard !isEmpty else { return self = other }
        lastBinary = other.lastBinary ?? lastBinary
        let start = bytes.count
        bytes.append(contentsOf: other.bytes)
        ends.append(contentsOf: other.ends.lazy.map { start + $0 })
    }
}
