import CSQLite

/// The reader's thread, with a separate read-only connection. It serves one request after another, each in a snapshot
/// that ends with the request. A snapshot that stayed open would keep SQLite from reusing the WAL.
final class Reader {
    enum Job: Sendable {
        case request(ReadRequest)
        /// Close the file, signal `closed`, wait for `reopen`, and open the file again. If `reopen` gives an error, all
        /// requests fail with that error.
        case closeFile(closed: Handoff<Void>, reopen: Handoff<LogError?>)
    }

    let connection: Connection
    let statements: ReadStatements
    let logId: UInt32

    init(_ file: LogFile) throws(LogError) {
        connection = try Connection(path: file.path, .readOnly)
        try SearchWords.register(connection)
        statements = try ReadStatements(connection)
        logId = UInt32(truncatingIfNeeded: try connection.integer("SELECT id FROM log"))
    }

    /// Opens the file at the first request. If the file cannot be opened, every request tries again. Returns when the
    /// inbox is closed and all its requests are answered.
    static func run(_ file: LogFile, _ lock: LogLock, _ inbox: Inbox<Job>, replyBox: ReplyBox) {
        var reader: Reader?
        var failure: LogError?
        while let jobs = inbox.take() {
            for job in jobs {
                switch job {
                case .request(let request):
                    let answer = failure.map { .failed($0) } ?? answer(request.query, &reader, file, lock)
                    replyBox.add([LogReply(ticket: request.ticket, answer: answer)])
                case .closeFile(let closed, let reopen):
                    reader = nil
                    closed.give(())
                    failure = reopen.wait()
                }
            }
        }
    }

    private static func answer(
        _ query: ReadRequest.Query, _ reader: inout Reader?, _ file: LogFile, _ lock: LogLock
    ) -> Answer {
        do throws(LogError) {
            let open = if let reader { reader } else { try Reader(file) }
            // The name can belong to another file, and the writer's thread has not noticed that yet.
            guard reader != nil || FileIdentity(path: file.path) == lock.database else {
                throw .filesLost(path: file.path, reason: "it is about to be put back")
            }
            reader = open
            return open.answer(query)
        } catch {
            return .failed(error)
        }
    }

    private func answer(_ query: ReadRequest.Query) -> Answer {
        do throws(LogError) {
            try statements.begin.run()
            let answer = try read(query)
            try statements.end.run()
            return answer
        } catch {
            connection.rollBack()
            return .failed(error)
        }
    }

    private func read(_ query: ReadRequest.Query) throws(LogError) -> Answer {
        switch query {
        case .page(let sid, let from, let maxBytes):
            try withLife(sid) { (oldest) throws(LogError) in
                .page(try page(sid: sid, from: max(from, oldest), limitBytes: ReadLimit.page(maxBytes)))
            }
        case .timeline(let sid, let after, let maxBytes):
            try withLife(sid) { (oldest) throws(LogError) in
                .timeline(try timeline(sid: sid, after: after, oldest: oldest, limitBytes: ReadLimit.page(maxBytes)))
            }
        case .updates(let sid, let start, let limit, let direction):
            try withLife(sid) { (oldest) throws(LogError) in
                .updates(
                    try updates(sid: sid, start: start, limit: max(1, limit), direction: direction, oldest: oldest))
            }
        case .position(let sid, let journal, let seq):
            try withLife(sid) { (oldest) throws(LogError) in
                .position(try position(sid: sid, journal: journal, seq: seq, oldest: oldest))
            }
        case .sessions(let liveOnly, let limit, let tenant, let position):
            .listing(try sessions(liveOnly: liveOnly, limit: Self.bounded(limit), tenant: tenant, after: position))
        case .lives(let sessionId, let agent, let limit, let tenant, let position):
            .listing(
                try lives(sessionId, agent: agent, limit: Self.bounded(limit), tenant: tenant, after: position))
        case .list(let filter, let offset, let limit, let position):
            .listing(try list(filter, offset: max(0, offset), limit: Self.bounded(limit), after: position))
        case .find(let sessionId, let agent, let tenant):
            .sessions(try find(sessionId: sessionId, agent: agent, tenant: tenant))
        case .life(let sid): .sessions(try life(sid))
        case .sizes(let sid, let partBytes):
            try withLife(sid) { (_) throws(LogError) in .sizes(try sizes(sid: sid, partBytes: partBytes)) }
        }
    }

    /// Calls `body` with the oldest update kept.
    private func withLife(_ sid: Int64, _ body: (Int64) throws(LogError) -> Answer) throws(LogError) -> Answer {
        guard let oldest = try statements.oldest.first(.integer(sid), read: { $0.integer(0) }) else {
            return .failed(.unknownSession(sid: sid))
        }
        return try body(oldest)
    }

    /// Returns the last update's number.
    func head(sid: Int64, oldest: Int64) throws(LogError) -> Int64 {
        try statements.runTimeAt.first(.integer(sid), .integer(.max)) { $0.integer(0) + $0.integer(1) - 1 } ?? oldest
            - 1
    }
}

extension ReadLimit {
    static func page(_ maxBytes: Int) -> Int { max(1, min(maxBytes, pageBytes)) }
}

extension LogError {
    /// The numbers in the file contradict each other. The log itself never writes such numbers.
    static let damaged = LogError(sqlite: SQLITE_CORRUPT)
}
