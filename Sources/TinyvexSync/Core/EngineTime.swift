/// The engine's clock and the executor of its tasks. Tests use a clock that moves only when the test moves it.
package struct EngineTime: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    /// Returns at that instant, or as soon as the task is cancelled.
    let sleep: @Sendable (_ until: ContinuousClock.Instant) async -> Void
    /// Nil means Swift's default executor.
    var executor: (any TaskExecutor)?

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (_ until: ContinuousClock.Instant) async -> Void,
        executor: (any TaskExecutor)? = nil
    ) {
        self.now = now
        self.sleep = sleep
        self.executor = executor
    }

    static let system = EngineTime(now: { .now }, sleep: { try? await Task.sleep(until: $0, clock: .continuous) })
}
