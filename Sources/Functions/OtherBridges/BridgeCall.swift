import Access

/// A call that names another bridge, and no session there: it begins one, or cancels such a start.
package struct BridgeCall: Sendable {
    /// The bridge's name in lists.
    package let bridge: String
    /// The name of an action.
    package let name: String
    /// A JSON object for the other bridge, without the bridge's name: a bridge of an earlier version performs the call, too.
    package let arguments: [UInt8]
    package let requestId: String?
}

/// A bridge on which sessions can begin, as `agents:list` names it.
package struct BridgePlace: Sendable {
    package let name: String
    /// The time at which the bridge could no longer be reached, in milliseconds since 1970; nil while it can.
    package let unreachableTs: Int64?

    package init(name: String, unreachableTs: Int64?) {
        self.name = name
        self.unreachableTs = unreachableTs
    }
}
