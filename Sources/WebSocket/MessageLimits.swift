/// What a peer may make us hold.
public struct MessageLimits: Sendable, Equatable {
    /// The most a message may carry, over all its fragments, in bytes. A frame that would exceed it is refused at its
    /// header with 1009 (message too big).
    public var messageBytes: Int

    /// 64 MiB holds any prompt with images and keeps a hundred clients that all send their worst within a few GiB.
    public init(messageBytes: Int = 64 << 20) {
        self.messageBytes = messageBytes
    }
}
