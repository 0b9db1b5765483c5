import EventLoop

/// The appends of a session that a hub does not have yet. Pure.
struct UnconfirmedAppends {
    /// The bytes received of which the hub has everything.
    private(set) var confirmedBytes = 0
    private var appends: [(n: Int64, bytes: Int)] = []

    /// 64 appends. While more wait, the newest ones count as one, so a client that waits for one of them waits for all.
    private static let limit = 64

    /// - Parameters:
    ///   - n: the last item of the timeline that is stored.
    ///   - bytes: all bytes received up to that item.
    mutating func stored(through n: Int64, bytes: Int) {
        if appends.count == Self.limit { appends.removeLast() }
        appends.append((n, bytes))
    }

    mutating func confirmed(through n: Int64) {
        let count = appends.prefix { $0.n <= n }.count
        guard count > 0 else { return }
        confirmedBytes = appends[count - 1].bytes
        appends.removeFirst(count)
    }
}

/// The wait of a session's readers for a hub.
@LoopActor struct HubWait {
    private let positions: ConfirmedPositions
    private var appends = UnconfirmedAppends()

    init(_ positions: ConfirmedPositions) { self.positions = positions }

    /// The position beyond which nothing can be sent, because the hub does not have it.
    ///
    /// - Parameter sid: The session's place in the log.
    func reach(of sid: Int64?) -> ConfirmedPositions.Position { positions.position(of: sid) }

    /// The bytes received of which the hub has everything.
    var confirmedBytes: Int { appends.confirmedBytes }

    /// Call after the session has stored an append: see ``UnconfirmedAppends/stored(through:bytes:)``.
    mutating func stored(through n: Int64, bytes: Int) { appends.stored(through: n, bytes: bytes) }

    /// Call after the hub has stored more of the session.
    mutating func confirmed(through n: Int64) { appends.confirmed(through: n) }
}

/// How far a hub has the sessions of this bridge. With `--durability hub`, readers are sent nothing beyond it. One entry
/// for each session of the log.
@LoopActor package final class ConfirmedPositions {
    package struct Position: Sendable, Equatable {
        /// The number of the last update that the hub has.
        package var seq: Int64 = 0
        /// The number of the last item of the timeline that the hub has.
        package var n: Int64 = 0

        package init(seq: Int64 = 0, n: Int64 = 0) { (self.seq, self.n) = (seq, n) }
    }

    private var positions: [Int64: Position] = [:]

    package init() {}

    /// Nothing for a session that the hub is not known to have, and for one without a place in the log.
    func position(of sid: Int64?) -> Position { sid.flatMap { positions[$0] } ?? Position() }

    /// The hub has the session up to this position. A hub that went back in time lowers nothing: readers already have what it
    /// had.
    package func raise(_ sid: Int64, to position: Position) {
        let earlier = positions[sid] ?? Position()
        positions[sid] = Position(seq: max(earlier.seq, position.seq), n: max(earlier.n, position.n))
    }

    package func forget(_ sid: Int64) { positions[sid] = nil }
}
