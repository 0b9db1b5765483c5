import JSONScan

/// The position of the agent's own line in the message that carries a timeline's update, and the update's number.
///
///     {"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":"a","seq":9,"value":{"seq":7,…,"notification":{…}}}}
package struct TimelineMessage {
    package let notification: Range<Int>
    package let seq: Int64

    /// Returns nil if the message carries no update. `message` must be one that the bridge has made.
    package init?(_ message: Span<UInt8>) {
        guard let params = memberPlace("params", ofObjectAt: 0..<message.count, in: message).range,
            let value = memberPlace("value", ofObjectAt: params, in: message).range,
            let notification = memberPlace("notification", ofObjectAt: value, in: message).range,
            let seq = memberPlace("seq", ofObjectAt: value, in: message).range,
            let number = (try? JSONValue(validating: message.extracting(seq)))?.int64Value
        else { return nil }
        self.notification = notification
        self.seq = number
    }
}
