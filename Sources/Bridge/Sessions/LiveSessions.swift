import EventLoop

/// A session as far as ``LiveSessions`` looks at it.
@LoopActor protocol IdentifiedSession: AnyObject {
    nonisolated var id: String { get }
}

/// The sessions whose agents run, or that are still being stored. Each change takes constant time, however many sessions
/// one agent has; those that share an id are one for each agent, as a rule.
@LoopActor struct LiveSessions<Member: IdentifiedSession> {
    private var members: [ObjectIdentifier: Member] = [:]
    /// In the order they began.
    private var byId: [String: [Member]] = [:]
    /// Those whose place in the log is not known yet.
    private var unclaimed: Set<ObjectIdentifier> = []

    nonisolated init() {}

    var count: Int { members.count }
    var all: some Collection<Member> { members.values }
    /// The log has answered the claim of each.
    var areAllClaimed: Bool { unclaimed.isEmpty }

    /// Those of this id, of all agents, the oldest first.
    func sessions(id: String) -> [Member] { byId[id] ?? [] }

    /// Adds one that the log has not answered yet.
    mutating func add(_ session: Member) {
        members[ObjectIdentifier(session)] = session
        byId[session.id, default: []].append(session)
        unclaimed.insert(ObjectIdentifier(session))
    }

    mutating func claimed(_ session: Member) { unclaimed.remove(ObjectIdentifier(session)) }

    mutating func remove(_ session: Member) {
        guard members.removeValue(forKey: ObjectIdentifier(session)) != nil else { return }
        unclaimed.remove(ObjectIdentifier(session))
        byId[session.id]?.removeAll { $0 === session }
        if byId[session.id]?.isEmpty == true { byId[session.id] = nil }
    }
}
