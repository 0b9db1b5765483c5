/// The quantity of a figure. The raw value is its name in JSON, which includes the unit.
package enum Quantity: String, CaseIterable {
    case updatesPerSecond
    /// The number of updates times the number of readers.
    case deliveriesPerSecond
    /// The CPU time of the process between agent and readers, divided by the number of the agent's updates. The number
    /// of readers does not matter.
    case serverNanosecondsPerUpdate
    /// The CPU time of the reading program.
    case clientNanosecondsPerUpdate
    case p50Microseconds
    case p99Microseconds
    case maxMicroseconds
    case milliseconds
    case residentBytes
    case residentGrowthBytes
    case bytesPerSubscriber
    case clientBytesPerSubscription

    /// The text for a person, and the divisor that converts the value to the text's unit.
    package var label: (text: String, divisor: Double) {
        switch self {
        case .updatesPerSecond: ("updates/s", 1)
        case .deliveriesPerSecond: ("deliveries/s", 1)
        case .serverNanosecondsPerUpdate: ("server CPU, µs/update", 1_000)
        case .clientNanosecondsPerUpdate: ("client CPU, µs/update", 1_000)
        case .p50Microseconds: ("p50, µs", 1)
        case .p99Microseconds: ("p99, µs", 1)
        case .maxMicroseconds: ("max, µs", 1)
        case .milliseconds: ("ms", 1)
        case .residentBytes: ("resident, MB", 1_000_000)
        case .residentGrowthBytes: ("resident growth, MB", 1_000_000)
        case .bytesPerSubscriber: ("per subscriber, KB", 1_000)
        case .clientBytesPerSubscription: ("in the client, KB", 1_000)
        }
    }
}
