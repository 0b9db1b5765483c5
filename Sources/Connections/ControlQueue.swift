/// The control messages of one connection that wait to be sent: answers, errors and pongs, as frames. Pure.
struct ControlQueue {
    /// 256 KiB. Above this limit the client sends requests faster than it reads the answers. The connection is not read
    /// again until the client has read enough of them. The messages of the last read are kept even above the limit.
    static let limitBytes = 256 << 10
    /// Sent bytes are removed from the buffer in pieces of this size.
    private static let compactionBytes = 64 << 10

    private var bytes: [UInt8] = []
    private var sentCount = 0

    var isEmpty: Bool { bytes.isEmpty }
    /// True if the first waiting frame can be incomplete on the connection.
    var hasBegun: Bool { sentCount > 0 }
    var waitingCount: Int { bytes.count - sentCount }
    var isOverLimit: Bool { waitingCount > Self.limitBytes }

    mutating func append(_ frame: [UInt8]) { bytes.append(contentsOf: frame) }

    func withWaitingBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sentCount...])) }
    }

    /// Removes the first `count` waiting bytes after they were sent.
    mutating func sent(_ count: Int) {
        sentCount += count
        if sentCount == bytes.count {
            bytes = []
            sentCount = 0
        } else if sentCount > Self.compactionBytes {
            bytes.removeFirst(sentCount)
            sentCount = 0
        }
    }
}
