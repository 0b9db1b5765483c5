/// One who reads a stream or a value here; several may share one subscription at the bridge.
struct SubscriberID: Hashable, Comparable, Sendable {
    let number: Int

    static func < (left: SubscriberID, right: SubscriberID) -> Bool { left.number < right.number }
}

/// One request that someone here waits for. The numbers rise in the order the requests were made.
struct CallID: Hashable, Comparable, Sendable {
    let number: Int

    static func < (left: CallID, right: CallID) -> Bool { left.number < right.number }
}

/// One attempt at a connection, and what becomes of it. Events of an earlier one are told by it.
struct ConnectionID: Hashable, Sendable {
    let number: Int
}
