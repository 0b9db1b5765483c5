/// A local reader of a stream or a value. Several readers can share one subscription at the bridge.
package struct SubscriberID: Hashable, Comparable, Sendable {
    package let number: Int

    package init(number: Int) { self.number = number }

    package static func < (left: SubscriberID, right: SubscriberID) -> Bool { left.number < right.number }
}

/// A request with a local caller that waits for it. The numbers ascend in the order of the requests.
package struct CallID: Hashable, Comparable, Sendable {
    package let number: Int

    package init(number: Int) { self.number = number }

    package static func < (left: CallID, right: CallID) -> Bool { left.number < right.number }
}

/// One connection attempt and the resulting connection. The id identifies events of earlier attempts.
package struct ConnectionID: Hashable, Sendable {
    package let number: Int

    package init(number: Int) { self.number = number }
}
