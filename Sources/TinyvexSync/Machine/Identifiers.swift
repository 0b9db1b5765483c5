/// A local reader of a stream or a value. Several readers can share one subscription at the bridge.
struct SubscriberID: Hashable, Comparable, Sendable {
    let number: Int

    static func < (left: SubscriberID, right: SubscriberID) -> Bool { left.number < right.number }
}

/// A request with a local caller that waits for it. The numbers ascend in the order of the requests.
struct CallID: Hashable, Comparable, Sendable {
    let number: Int

    static func < (left: CallID, right: CallID) -> Bool { left.number < right.number }
}

/// One connection attempt and the resulting connection. The id identifies events of earlier attempts.
struct ConnectionID: Hashable, Sendable {
    let number: Int
}
