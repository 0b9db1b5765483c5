import CSQLite

/// The reader's thread: its own read-only connection, one request after another, each in a snapshot of its own that
/// ends with the request; a snapshot kept open would keep the WAL from being used anew.
final class Reader {
    enum Job: Sendable {
        case request(ReadRequest)
        /// Close the file, give `closed`, and open it again after `reopen`, or fail all requests with the error there.
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

    /// Opens the file when something is first asked; a file that cannot be opened is tried again with every request.
    /// Returns when the inbox is closed and all that was in it is answered.
    static func run(_ file: LogFile, _ lock: LogLock, _ inbox: Inbox<Job>, replyBox: ReplyBox) {
        var reader: Reader?
        var failure: LogError?
        while let jobs = inbox.take() {
            for job in jobs {
                switch job {
                case .request(let request):
                    let answer = failure.map { .failed($0) } ?? answer(request.query, &reader, file, lock)
                    replyBox.add([Reply(ticket: request.ticket, answer: answer)])
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
            // Another file may have taken the name, which the writer's thread has not noticed yet.
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
        case .sessions(let liveOnly, let limit, let tenant):
            .sessions(try sessions(liveOnly: liveOnly, limit: max(0, min(limit, ReadLimit.sessions)), tenant: tenant))
        case .list(let filter, let offset, let limit):
            .listing(try list(filter, offset: max(0, offset), limit: max(0, min(limit, ReadLimit.sessions))))
        case .find(let sessionId, let agent, let tenant):
            .sessions(try find(sessionId: sessionId, agent: agent, tenant: tenant))
        case .life(let sid): .sessions(try life(sid))
        case .sizes(let sid, let partBytes):
            try withLife(sid) { (_) throws(LogError) in .sizes(try sizes(sid: sid, partBytes: partBytes)) }
        }
    }

    /// `body` is given the oldest update kept.
    private func withLife(_ sid: Int64, _ body: (Int64) throws(LogError) -> Answer) throws(LogError) -> Answer {
        guard let oldest = try statements.oldest.first(.integer(sid), read: { $0.integer(0) }) else {
            return .failed(.unknownSession(sid: sid))
        }
        return try body(oldest)
    }

    /// The last update's number.
    func head(sid: Int64, oldest: Int64) throws(LogError) -> Int64 {
        try statements.runTimeAt.first(.integer(sid), .integer(.max)) { $0.integer(0) + $0.integer(1) - 1 } ?? oldest
            - 1
    }
}

extension ReadLimit {
    static func page(_ maxBytes: Int) -> Int { max(1, min(maxBytes, pageBytes)) }
}

extension LogError {
    /// The numbers in the file contradict each other, which no writing of ours makes.
    static let damaged = LogError(sqlite: SQLITE_CORRUPT)
}
