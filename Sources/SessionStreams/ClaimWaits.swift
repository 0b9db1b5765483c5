import EventLoop

/// Actions that wait until the log has answered the claims of sessions that have just begun.
@LoopActor struct ClaimWaits {
    private struct Wait {
        /// The ordinal of the first session that the action does not wait for. Later sessions could delay it for ever.
        let ordinal: Int64
        /// The only session that the action waits for, also while the log fails. Nil for all earlier ones.
        let session: Session?
        let action: @LoopActor () -> Void
    }

    private var waits: [Wait] = []
    /// The sessions with lower ordinals are claimed, except those for which the log has failed: claims are answered in
    /// their order.
    private var claimedOrdinals: Int64 = 0

    /// Adds an action that waits for all sessions before the one with this ordinal.
    mutating func add(before ordinal: Int64, _ action: @escaping @LoopActor () -> Void) {
        waits.append(Wait(ordinal: ordinal, session: nil, action: action))
    }

    /// Adds an action that waits for this session.
    mutating func add(for session: Session, _ action: @escaping @LoopActor () -> Void) {
        waits.append(Wait(ordinal: 0, session: session, action: action))
    }

    /// Records that the log has answered the claim of a session.
    mutating func claimed(_ session: Session) { claimedOrdinals = max(claimedOrdinals, session.ordinal + 1) }

    /// Removes and returns the actions that need not wait any longer.
    ///
    /// - Parameter waitsForOne: true if only the actions that wait for a single session continue to wait: all sessions
    ///   are claimed, or the log fails.
    mutating func takeReady(waitsForOne: Bool) -> [@LoopActor () -> Void] {
        guard !waits.isEmpty else { return [] }
        let ordinal = waitsForOne ? .max : claimedOrdinals
        let isReady: (Wait) -> Bool = { wait in
            wait.session.map { $0.sid != nil } ?? (wait.ordinal <= ordinal)
        }
        let ready = waits.filter(isReady)
        waits.removeAll(where: isReady)
        return ready.map(\.action)
    }
}
