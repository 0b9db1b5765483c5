/// Limits for the memory that a peer can make us use.
package struct MessageLimits: Sendable, Equatable {
    /// The maximum size of a message, over all its fragments, in bytes. A frame that would exceed it is refused at its
    /// header with 1009 (message too big).
    package var messageBytes: Int

    /// The default of 64 MiB holds any prompt with images, and keeps the memory of a hundred clients at their maximum
    /// within a few GiB.
    package init(messageBytes: Int = 64 << 20) {
        self.messageBytes = messageBytes
    }
}
