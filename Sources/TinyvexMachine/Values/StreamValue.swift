/// One value of a subscription, as JSON text.
package struct StreamValue: Sendable, Equatable {
    /// Increases with each value, and can restart with a new connection.
    package internal(set) var seq: Int64
    package let text: [UInt8]
}
