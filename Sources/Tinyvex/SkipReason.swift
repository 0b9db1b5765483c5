/// Why messages are not sent on a subscription.
public enum SkipReason: String, Sendable, CaseIterable {
    /// The reader is behind, and its policy leaves them out. They are in the log.
    case latest, thoughts
    /// They are part of the chunk that comes next.
    case merge
    /// The log does not keep them any more.
    case retention
}
