import Posix

/// The time that one kind of work can take in one turn of the loop.
@LoopActor package struct TurnBudget {
    /// 1 ms: each kind of work that others cause delays an editor's bytes by at most this.
    nonisolated static let share = Duration.milliseconds(1)

    private var turn = -1
    private var end = Instant(nanoseconds: 0)
    private let clock: @LoopActor () -> Instant

    /// - Parameter clock: For tests.
    package nonisolated init(clock: @escaping @LoopActor () -> Instant = { .now }) { self.clock = clock }

    /// True until this turn's share is used up, and at least once in each turn.
    package var hasTime: Bool {
        mutating get {
            if turn != EventLoop.main.turnCount {
                turn = EventLoop.main.turnCount
                end = clock() + Self.share
                return true
            }
            return clock() < end
        }
    }
}
