/// The bridge of a session that this bridge reads from a hub or from a peer.
package struct SessionHome: Sendable, Equatable {
    /// The bridge's name.
    package let bridge: String
    /// True while a turn is running.
    package let isRunning: Bool
    /// The time at which the bridge was last known to run, in milliseconds since 1970: by the hub's clock, or by this
    /// bridge's for a peer. Nil while it runs.
    package let unreachableTs: Int64?

    package init(bridge: String, isRunning: Bool, unreachableTs: Int64?) {
        self.bridge = bridge
        self.isRunning = isRunning
        self.unreachableTs = unreachableTs
    }
}
