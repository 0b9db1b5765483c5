import EventLoop

/// The time that one kind of work may take in one turn of the loop.
@LoopActor struct TurnBudget {
    /// 1 ms: an editor's bytes wait no longer for each kind of work that others cause.
    nonisolated static let share = Duration.milliseconds(1)

    private var turn = -1
    private var end = Instant(nanoseconds: 0)
    private let clock: @LoopActor () -> Instant

    /// - Parameter clock: for tests.
    nonisolated init(clock: @escaping @LoopActor () -> Instant = { .now }) { self.clock = clock }

    /// True until the share of this turn is used up, and at least once in each turn.
    var hasTime: Bool {
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
