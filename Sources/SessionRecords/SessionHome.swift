/// The bridge of a session that this bridge reads from a hub or from a peer.
package struct SessionHome: Sendable, Equatable {
    /// The bridge's name.
    package let bridge: String
    /// True while a turn is running.
    package let isRunning: Bool
    /// The time at which the bridge was last known to run, in milliseconds since 1970: by the hub's clock, or by this
    /// bridge's for a peer. Nil while it runs.
    package let unreachableTs: Int64?
    /// The prompts that wait for the end of the turn, in order. Empty in lists, and for a bridge that reports none: a hub, or
    /// a peer of an earlier version.
    package let queue: [RemotePrompt]
    /// True if the record's usage is that of the end of the last turn, as a hub has it. That of a peer is the present one.
    package let hasUsageOfLastTurn: Bool

    package init(
        bridge: String, isRunning: Bool, unreachableTs: Int64?, queue: [RemotePrompt] = [],
        hasUsageOfLastTurn: Bool = false
    ) {
        self.bridge = bridge
        self.isRunning = isRunning
        self.unreachableTs = unreachableTs
        self.queue = queue
        self.hasUsageOfLastTurn = hasUsageOfLastTurn
    }
}

/// A prompt that waits at the bridge of its session for the end of the turn.
package struct RemotePrompt: Sendable, Equatable {
    /// The sender's name.
    package var by: String
    /// When it was queued, in milliseconds since 1970. It identifies the prompt in its session.
    package let queuedTs: Int64
    /// The beginning of the text; nil if the prompt has none.
    package let text: String?
    /// True if the bridge that reads the session has sent it, for one of its clients.
    package let isOwn: Bool

    /// 32: the most prompts that wait in a session.
    package static let limit = 32
    /// The characters of the text that are shown.
    package static let textCharacters = 1_000

    package init(by: String, queuedTs: Int64, text: String?, isOwn: Bool) {
        self.by = by
        self.queuedTs = queuedTs
        self.text = text
        self.isOwn = isOwn
    }
}
