import ACPRouting
import SessionRecords
import SessionStreams
import Tinyvex

extension SessionRegistry {
    /// Combines the record of a session of this bridge with the newer values in memory, except for the usage. A session that an agent serves is
    /// in memory, so one that is not has ended.
    func current(_ record: SessionRecord) -> SessionRecord {
        var current = record
        guard let session = known(sid: record.sid) else {
            current.state = .ended
            return current
        }
        let isLive = countsAsLive(session)
        current.title = session.title ?? record.title
        current.cwd = session.cwd ?? record.cwd
        current.parentId = session.parentId ?? record.parentId
        current.lastTs = max(record.lastTs, session.lastTime)
        current.head = max(record.head, session.head)
        current.timelineHead = max(record.timelineHead, session.timelineHead)
        current.state = isLive ? .live : .ended
        // A session that has ended counts as live until its last update is stored.
        current.exit = session.end?.storedText ?? (isLive ? nil : record.exit)
        return current
    }
}

extension SessionSummary {
    /// - Parameter record: of another bridge, or the current one of a session of this bridge: see
    ///   ``SessionStreams/SessionRegistry/current(_:)``.
    init(_ record: SessionRecord, isRunning: Bool) {
        let isLive = record.state == .live
        let end = record.exit.flatMap { SessionEnd(storedText: $0) }
        self.init(
            sessionId: record.sessionId, agent: record.agent,
            title: record.label.title ?? PromptTitle.title(agents: record.title, firstPrompt: record.firstPrompt),
            cwd: record.cwd, tags: record.label.tags, isArchived: record.label.isArchived,
            createdTs: record.createdTs, lastTs: record.lastTs, updateCount: record.head, live: isLive,
            isRunning: isLive && isRunning, journal: record.journal.description,
            end: end ?? (isLive ? nil : .interrupted))
        usedTs = record.usedTs
        parentId = record.parentId
        bridge = record.home?.bridge
        unreachableTs = record.home?.unreachableTs
    }
}
