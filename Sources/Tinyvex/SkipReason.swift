/// The reason why messages are not sent on a subscription.
public enum SkipReason: String, Sendable, CaseIterable {
    /// The reader is too far behind, and its policy drops the messages. They are in the log.
    case latest, thoughts
    /// The messages are part of the chunk that follows.
    case merge
    /// The log no longer has the messages.
    case retention
}
