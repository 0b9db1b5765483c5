import EventLoop

/// The clock that an engine goes by, and where its tasks run. Tests have one that stands still until it is moved.
struct EngineTime: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    /// Returns at that instant, or when the task is cancelled.
    let sleep: @Sendable (_ until: ContinuousClock.Instant) async -> Void
    /// Nil: Swift's own threads.
    var executor: (any TaskExecutor)?

    static let system = EngineTime(now: { .now }, sleep: { try? await Task.sleep(until: $0, clock: .continuous) })

    static func on(_ loop: ClientLoop) -> EngineTime {
        EngineTime(
            now: { .now }, sleep: { await loop.sleep(until: Instant.now + ($0 - ContinuousClock.now)) }, executor: loop)
    }
}
