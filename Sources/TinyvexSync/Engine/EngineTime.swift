import EventLoop
import Posix

/// The engine's clock and the executor of its tasks. Tests use a clock that moves only when the test moves it.
struct EngineTime: Sendable {
    let now: @Sendable () -> ContinuousClock.Instant
    /// Returns at that instant, or as soon as the task is cancelled.
    let sleep: @Sendable (_ until: ContinuousClock.Instant) async -> Void
    /// Nil means Swift's default executor.
    var executor: (any TaskExecutor)?

    static let system = EngineTime(now: { .now }, sleep: { try? await Task.sleep(until: $0, clock: .continuous) })

    static func on(_ loop: ClientLoop) -> EngineTime {
        EngineTime(
            now: { .now }, sleep: { await loop.sleep(until: Instant.now + ($0 - ContinuousClock.now)) }, executor: loop)
    }
}
