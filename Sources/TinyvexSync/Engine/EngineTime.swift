/// The clock that an engine goes by. Tests have one that stands still until it is moved.
struct EngineTime: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    /// Returns at that instant, or when the task is cancelled.
    let sleep: @Sendable (_ until: ContinuousClock.Instant) async -> Void

    static let system = EngineTime(now: { .now }, sleep: { try? await Task.sleep(until: $0, clock: .continuous) })
}
