import SQLite
import SessionRecords

/// A read-only connection, for one thread. It serves one query after another, each in a snapshot that ends with the
/// query. A snapshot that stayed open would keep SQLite from reusing the WAL.
package final class Reader {
    let connection: Connection
    let statements: ReadStatements
    let logId: UInt32
    let buffer: RunBuffer
    private let lines: LinesFile

    package init(_ file: LogFile, _ lines: LinesFile) throws(LogError) {
        self.lines = lines
        buffer = RunBuffer(lines)
        connection = try LogError.wrapping { () throws(SQLiteError) in
            try Connection(path: file.path, .readOnly)
        }
        do throws(SQLiteError) {
            try SearchWords.register(connection)
            statements = ReadStatements(connection)
            logId = UInt32(truncatingIfNeeded: try connection.integer("SELECT id FROM log"))
        } catch {
            throw LogError(error)
        }
    }

    package func answer(_ query: ReadRequest.Query) -> Answer {
        defer { buffer.trim() }
        return query.readsLines ? lines.whileNothingIsFreed { answerInSnapshot(query) } : answerInSnapshot(query)
    }

    private func answerInSnapshot(_ query: ReadRequest.Query) -> Answer {
        do throws(SQLiteError) {
            try statements.begin.run()
            let answer = try read(query)
            try statements.end.run()
            return answer
        } catch {
            connection.rollBack()
            return .failed(LogError(error))
        }
    }

    private func read(_ query: ReadRequest.Query) throws(SQLiteError) -> Answer {
        switch query {
        case .page(let sid, let from, let maxBytes):
            try withIncarnation(sid) { (oldest) throws(SQLiteError) in
                .page(try page(sid: sid, from: max(from, oldest), limitBytes: ReadLimit.page(maxBytes)))
            }
        case .timeline(let sid, let after, let through, let maxBytes, let lineLimit):
            try withIncarnation(sid) { (oldest) throws(SQLiteError) in
                .timeline(
                    try timeline(
                        sid: sid, after: after, through: through, oldest: oldest,
                        limitBytes: ReadLimit.page(maxBytes), lineLimitBytes: lineLimit))
            }
        case .timelines(let starts, let maxBytes):
            .timelines(try timelines(starts, limitBytes: ReadLimit.page(maxBytes)))
        case .updates(let sid, let start, let limit, let direction):
            try withIncarnation(sid) { (oldest) throws(SQLiteError) in
                .updates(
                    try updates(sid: sid, start: start, limit: max(1, limit), direction: direction, oldest: oldest))
            }
        case .position(let sid, let journal, let seq):
            try withIncarnation(sid) { (oldest) throws(SQLiteError) in
                .position(try position(sid: sid, journal: journal, seq: seq, oldest: oldest))
            }
        case .sessions(let liveOnly, let limit, let tenant, let position):
            .listing(try sessions(liveOnly: liveOnly, limit: Self.bounded(limit), tenant: tenant, after: position))
        case .incarnations(let sessionId, let agent, let limit, let tenant, let position):
            .listing(
                try incarnations(sessionId, agent: agent, limit: Self.bounded(limit), tenant: tenant, after: position))
        case .list(let filter, let offset, let limit, let position):
            .listing(try list(filter, offset: max(0, offset), limit: Self.bounded(limit), after: position))
        case .find(let sessionId, let agent, let tenant):
            .sessions(try find(sessionId: sessionId, agent: agent, tenant: tenant))
        case .incarnation(let sid): .sessions(try incarnation(sid))
        case .sizes(let sid, let partBytes):
            try withIncarnation(sid) { (_) throws(SQLiteError) in .sizes(try sizes(sid: sid, partBytes: partBytes)) }
        case .usage(let starts, let tenant): .usage(try usage(starts: starts, tenant: tenant))
        case .logId: .logId(logId)
        case .deletions(let limit):
            .deletions(try statements.deletions.all(.integer(Int64(Self.bounded(limit)))) { $0.integer(0) })
        case .claims(let sid):
            try withIncarnation(sid) { (_) throws(SQLiteError) in
                .claims(
                    try statements.claims.all(.integer(sid)) { EpochClaim(epoch: $0.integer(0), first: $0.integer(1)) })
            }
        }
    }

    /// Calls `body` with the oldest update kept.
    private func withIncarnation(_ sid: Int64, _ body: (Int64) throws(SQLiteError) -> Answer) throws(SQLiteError)
        -> Answer
    {
        guard let oldest = try oldest(sid: sid) else { return .failed(.unknownSession(sid: sid)) }
        return try body(oldest)
    }

    /// Returns the oldest update kept; nil if the session is unknown.
    func oldest(sid: Int64) throws(SQLiteError) -> Int64? {
        guard let oldest = try statements.oldest.first(.integer(sid), read: { $0.integer(0) }) else { return nil }
        guard UpdateNumber.range.contains(oldest) else { throw .damaged }
        return oldest
    }

    /// Returns the last update's number.
    func head(sid: Int64, oldest: Int64) throws(SQLiteError) -> Int64 {
        guard let end = try statements.runTimesAt.first(.integer(sid), .integer(.max), read: { RunTimes($0)?.end })
        else {
            return oldest - 1
        }
        guard let end else { throw .damaged }
        return end - 1
    }
}

extension ReadRequest.Query {
    fileprivate var readsLines: Bool {
        switch self {
        case .page, .timeline, .timelines, .updates: true
        case .position, .sessions, .incarnations, .list, .find, .incarnation, .sizes, .usage, .logId, .claims,
            .deletions:
            false
        }
    }
}

extension ReadLimit {
    static func page(_ maxBytes: Int) -> Int { max(1, min(maxBytes, pageBytes)) }
}

extension SQLiteError {
    /// The numbers in the file contradict each other. The log itself never writes such numbers.
    static let damaged = SQLiteError.corrupt
}
