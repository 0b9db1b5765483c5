/// Something to be written. Those that wait together share transactions, small appends first; all else is done in the order
/// it came.
public struct WriteRequest: Sendable {
    /// Comes back in the reply; the caller's own choice.
    public let ticket: UInt64
    public let operation: Operation

    public init(ticket: UInt64, _ operation: Operation) {
        self.ticket = ticket
        self.operation = operation
    }

    public enum Operation: Sendable {
        /// Become the only writer of a session's life: an append under an older epoch is fenced from then on.
        /// The claim is on disk, under either durability, when it is answered: a journal never names two histories.
        case claim(agent: String, sessionId: String, mode: ClaimMode, facts: SessionFacts)
        /// Add to a claimed life, all items or none. `after` is the update number the caller takes for the last.
        ///
        /// Keep one append in flight per session, carrying whatever came meanwhile: that is what makes runs long, and
        /// what bounds the bytes that wait here (the queue itself has no limit; it never drops and never blocks).
        case append(sid: Int64, epoch: Int64, after: Int64, items: [LogItem])
        /// Change what is known about a life.
        case describe(sid: Int64, facts: SessionFacts)
        /// Change what people have said of a life. Answered by ``Answer/described``.
        case label(sid: Int64, SessionLabel.Change)
        /// Delete a life that has ended. Answered by ``Answer/deleted`` when nobody can find it any more, or
        /// ``LogError/sessionIsLive(sid:)``; what it has stored then goes a little at a time, over starts if need be.
        case delete(sid: Int64)
        /// Delete the whole runs up to and with this update number, and the entries before them, a little at a time.
        case trim(sid: Int64, upTo: Int64)
        /// Delete the ended lives that are too old or too many. Answered by ``Answer/forgotten(_:)``.
        case retain(Retention)
    }
}

/// Which life a claim is for.
public enum ClaimMode: Sendable {
    /// A new life, numbered from 1, even if the name has had others.
    case fresh
    /// The newest life of that name, under the next epoch; a new one if there is none.
    case continueLatest
    /// This very life, under the next epoch.
    case again(sid: Int64)
}

/// One thing in an append.
public enum LogItem: Sendable, Equatable {
    /// `count` updates, numbered on from the last. `lines` are the agent's own bytes, each line followed by one LF.
    /// `ts` is in milliseconds since 1970.
    case run(lines: [UInt8], count: Int, ts: Int64)
    /// A rare event between two updates: a prompt, a turn's end, an answered permission.
    case entry(kind: String, body: [UInt8], ts: Int64)
}

extension WriteRequest {
    /// Four pages, or some fifty updates, at most.
    var isSmallAppend: Bool { operation.isAppend && costBytes <= 16 << 10 }

    /// What the request adds to a transaction, with an allowance for the row itself.
    var costBytes: Int {
        guard case .append(_, _, _, let items) = operation else { return 256 }
        return items.reduce(256) { $0 + $1.byteCount }
    }
}

extension WriteRequest.Operation {
    var isAppend: Bool { if case .append = self { true } else { false } }

    /// The session it names by its number.
    var sid: Int64? {
        switch self {
        case .append(let sid, _, _, _), .describe(let sid, _), .label(let sid, _), .delete(let sid), .trim(let sid, _):
            sid
        case .claim(_, _, .again(let sid), _): sid
        case .claim, .retain: nil
        }
    }

    /// What is stored for a session but not in SQLite yet must be there first: this numbers what comes behind it, or ends
    /// the right to add it.
    var comesBehindAppends: Bool {
        switch self {
        case .append, .delete, .claim(_, _, .again, _), .claim(_, _, .continueLatest, _): true
        case .claim(_, _, .fresh, _), .describe, .label, .trim, .retain: false
        }
    }

    /// It may be of any session.
    var isClaimByName: Bool {
        if case .claim(_, _, .continueLatest, _) = self { true } else { false }
    }
}

extension LogItem {
    /// How many updates it is; none for an entry.
    public var lineCount: Int {
        guard case .run(_, let count, _) = self else { return 0 }
        return count
    }

    /// Of its lines, with their line feeds, or its body.
    public var byteCount: Int {
        switch self {
        case .run(let lines, _, _): lines.count
        case .entry(_, let body, _): body.count
        }
    }
}
