import EventLoop
import JSONScan
import SessionStreams

/// The sessions of one agent by id. It is a class because each update looks here: a value in another object would be
/// copied for that.
@LoopActor final class SessionTable {
    private(set) var sessions: [String: Session] = [:]
    /// The sessions with new updates since the last flush.
    ///
    /// Changed for each line, by functions that call nothing outside of this file. So two uses cannot overlap, and the
    /// check at run time, which takes longer than the rest of the call, is left out.
    @exclusivity(unchecked) private(set) var touched: [Session] = []
    /// The previous line's session, with the raw bytes of its id. The next line nearly always has the same id.
    private var latest: Session?
    /// As `touched`.
    @exclusivity(unchecked) private var latestRawId: [UInt8] = []
    /// As `touched`.
    @exclusivity(unchecked) private var scanner = EnvelopeScanner()

    var count: Int { sessions.count }

    /// The session with this id, if it has not ended.
    func live(_ id: String) -> Session? {
        guard let session = sessions[id], session.isLive else { return nil }
        return session
    }

    /// Returns the places of a line's members, or nil if the line is not valid JSON.
    func envelope(of line: Span<UInt8>) -> Envelope? { try? scanner.scan(line) }

    /// The previous line's session, if this line names the same.
    func latest(namedBy rawId: Span<UInt8>) -> Session? {
        guard rawId.isEqual(to: latestRawId), let latest, latest.isLive else { return nil }
        return latest
    }

    func note(_ session: Session, namedBy rawId: Span<UInt8>) {
        latest = session
        // Without a closure, which would check the actor at run time, and in the memory of the id before.
        latestRawId.removeAll(keepingCapacity: true)
        for index in rawId.indices { latestRawId.append(rawId[index]) }
    }

    /// Notes that the session has a new update.
    func touch(_ session: Session) {
        if touched.last !== session { touched.append(session) }
    }

    func forgetTouched() { touched.removeAll(keepingCapacity: true) }

    func add(_ session: Session) {
        sessions[session.id] = session
        latest = nil
    }

    func remove(_ id: String) -> Session? {
        latest = nil
        return sessions.removeValue(forKey: id)
    }
}
