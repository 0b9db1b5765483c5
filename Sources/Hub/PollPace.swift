/// The pauses between two looks at the hub while somebody reads sessions of other bridges. Pure.
///
/// After a change the next look comes soon, because more is likely to follow. Without changes the pause doubles. A look
/// takes half of the time at most.
package struct PollPace: Sendable, Equatable {
    package static let shortest = Duration.milliseconds(10)
    package static let longest = Duration.milliseconds(200)
    /// After a failed look.
    package static let afterFailure = Duration.seconds(1)

    private var pause = shortest

    package init() {}

    /// Returns the pause after a look that took `duration`.
    package mutating func looked(foundChange: Bool, taking duration: Duration) -> Duration {
        pause = foundChange ? Self.shortest : min(pause * 2, Self.longest)
        return max(pause, duration)
    }

    package mutating func failed() -> Duration {
        pause = Self.shortest
        return Self.afterFailure
    }
}
