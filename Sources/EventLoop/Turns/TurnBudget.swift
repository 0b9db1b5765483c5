import Posix

/// The time that one kind of work can take in one turn of the loop.
@LoopActor package struct TurnBudget {
    /// 0.25 ms: each kind of work that others cause delays an editor's bytes by at most this. A turn itself takes some 2 µs.
    nonisolated static let share = Duration.microseconds(250)

    private var turn = -1
    private var end = Instant(nanoseconds: 0)
    private let time: any TimeSource

    package nonisolated init(time: any TimeSource) { self.time = time }

    /// True until this turn's share is used up, and at least once in each turn.
    package var hasTime: Bool {
        mutating get {
            if turn != time.turnCount {
                turn = time.turnCount
                end = time.now + Self.share
                return true
            }
            return time.now < end
        }
    }
}
