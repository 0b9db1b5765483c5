import EventLoop

/// The part of a session that ``LiveSessions`` uses.
@LoopActor package protocol IdentifiedSession: AnyObject {
    nonisolated var id: String { get }
}

/// The sessions with running agents, and the sessions that are still being stored. Each change takes constant time,
/// regardless of the number of sessions of one agent. Sessions that share an id usually belong to different agents.
@LoopActor package struct LiveSessions<Member: IdentifiedSession> {
    private var members: [ObjectIdentifier: Member] = [:]
    /// Sessions by id, in the order in which they began.
    private var byId: [String: [Member]] = [:]
    /// Sessions without a known place in the log.
    private var unclaimed: Set<ObjectIdentifier> = []
    private(set) var addedCount: Int64 = 0

    nonisolated init() {}

    package var count: Int { members.count }
    package var all: some Collection<Member> { members.values }
    /// True if the log has answered the claim of each session.
    package var areAllClaimed: Bool { unclaimed.isEmpty }

    /// Returns the sessions of all agents with this id, the oldest first.
    package func sessions(id: String) -> [Member] { byId[id] ?? [] }

    /// The ids that several sessions have.
    package var repeatedIds: [String] { byId.filter { $0.value.count > 1 }.map(\.key) }

    /// Adds a session before the log has answered its claim.
    ///
    /// - Returns: the number of sessions that were added before.
    @discardableResult mutating func add(_ session: Member) -> Int64 {
        members[ObjectIdentifier(session)] = session
        byId[session.id, default: []].append(session)
        unclaimed.insert(ObjectIdentifier(session))
        addedCount += 1
        return addedCount - 1
    }

    mutating func claimed(_ session: Member) { unclaimed.remove(ObjectIdentifier(session)) }

    mutating func remove(_ session: Member) {
        guard members.removeValue(forKey: ObjectIdentifier(session)) != nil else { return }
        unclaimed.remove(ObjectIdentifier(session))
        byId[session.id]?.removeAll { $0 === session }
        if byId[session.id]?.isEmpty == true { byId[session.id] = nil }
    }
}
