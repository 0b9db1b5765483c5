import SessionRecords

/// The usage of the sessions of one other bridge, or the reason why it is not known.
package struct UsageOfOthers: Sendable {
    /// The name of the bridge.
    package let bridge: String
    package let usage: Usage

    package enum Usage: Sendable {
        case known(UsageByDay)
        case unknown(reason: String)
    }

    package init(bridge: String, _ usage: Usage) { (self.bridge, self.usage) = (bridge, usage) }
}
