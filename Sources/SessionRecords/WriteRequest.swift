/// A request to write. Waiting requests share transactions, small appends first. All other requests are handled in the
/// order they came.
package struct WriteRequest: Sendable {
    /// Chosen by the caller, and returned in the reply.
    package let ticket: UInt64
    package let operation: Operation

    package init(ticket: UInt64, _ operation: Operation) {
        self.ticket = ticket
        self.operation = operation
    }

    package enum Operation: Sendable {
        /// Become the only writer of a session's incarnation. From then on an append under an older epoch is fenced.
        /// When the claim is answered, it is on disk under either durability, so a journal never names two histories.
        case claim(agent: String, sessionId: String, mode: ClaimMode, facts: SessionFacts)
        /// Append to a claimed incarnation, all items or none. `after` is the update number that the caller assumes to
        /// be the last.
        ///
        /// Keep one append in flight per session, and put all items that came meanwhile into the next append. This
        /// makes runs long and bounds the bytes that wait here. The queue itself has no limit: it never drops a request
        /// and never blocks.
        case append(sid: Int64, epoch: Int64, after: Int64, items: [LogItem])
        /// Change the recorded facts about an incarnation.
        case describe(sid: Int64, facts: SessionFacts)
        /// Change the label that people have given an incarnation. Answered by ``Answer/described``.
        case label(sid: Int64, SessionLabel.Change)
        /// Delete an incarnation that has ended. Answered by ``Answer/deleted`` when the incarnation can no longer be
        /// found, or by ``LogError/sessionIsLive(sid:)``. The incarnation's stored data is then removed little by
        /// little, over several starts if necessary.
        case delete(sid: Int64)
        /// From now on, each deletion of an incarnation is also noted in the log, in the same transaction, for the hub
        /// that this bridge ships to. These incarnations are noted at once. Answered by ``Answer/deletionsNoted``.
        case noteDeletions([Int64])
        /// The hub has deleted these incarnations. Answered by ``Answer/deletionsNoted``.
        case forgetDeletions([Int64])
        /// Delete the whole runs up to and including this update number, and the entries before them, little by little.
        case trim(sid: Int64, upTo: Int64)
        /// Delete the ended incarnations that are too old or too many. Answered by ``Answer/forgotten(_:)``.
        case retain(Retention)
    }
}

/// The incarnation that a claim is for.
package enum ClaimMode: Sendable {
    /// A new incarnation, numbered from 1, even if the name has had other incarnations.
    case fresh
    /// The newest incarnation of that name, under the next epoch. A new incarnation if there is none.
    case continueLatest
    /// Exactly this incarnation, under the next epoch.
    case again(sid: Int64)
}

/// One item in an append.
package enum LogItem: Sendable, Equatable {
    /// `count` updates with the numbers after the last one. `lines` are the agent's own bytes, each line followed by
    /// one LF. `ts` is in milliseconds since 1970.
    case run(lines: [UInt8], count: Int, ts: Int64)
    /// A rare event between two updates: a prompt, a turn's end, an answered permission.
    case entry(kind: String, body: [UInt8], ts: Int64)
}

extension WriteRequest {
    /// At most four pages, or about fifty updates.
    package var isSmallAppend: Bool { operation.isAppend && costBytes <= 16 << 10 }

    /// The bytes that the request adds to a transaction, with an allowance for the row itself.
    package var costBytes: Int {
        guard case .append(_, _, _, let items) = operation else { return 256 }
        return items.reduce(256) { $0 + $1.byteCount }
    }
}

extension WriteRequest.Operation {
    package var isClaim: Bool { if case .claim = self { true } else { false } }

    package var isAppend: Bool { if case .append = self { true } else { false } }

    /// The session that the request names by its number.
    package var sid: Int64? {
        switch self {
        case .append(let sid, _, _, _), .describe(let sid, _), .label(let sid, _), .delete(let sid), .trim(let sid, _):
            sid
        case .claim(_, _, .again(let sid), _): sid
        case .claim, .retain, .noteDeletions, .forgetDeletions: nil
        }
    }

    /// True if stored appends that are not in SQLite yet must be moved there first. This request numbers later updates,
    /// or ends the right to append.
    package var comesBehindAppends: Bool {
        switch self {
        case .append, .delete, .claim(_, _, .again, _), .claim(_, _, .continueLatest, _): true
        case .claim(_, _, .fresh, _), .describe, .label, .trim, .retain, .noteDeletions, .forgetDeletions: false
        }
    }

    /// The claim can be for any session.
    package var isClaimByName: Bool {
        if case .claim(_, _, .continueLatest, _) = self { true } else { false }
    }
}

extension LogItem {
    /// The kind of the entry that is stored when the agent has ended.
    package static let exitKind = "agent_exit"

    /// The end of an agent whose bridge was killed. The next bridge stores it.
    ///
    /// - Parameter ts: The time of the last item before it. The time of the end itself is not known.
    package static func interruption(ts: Int64) -> LogItem {
        .entry(kind: exitKind, body: Array(#"{"reason":"interrupted"}"#.utf8), ts: ts)
    }

    /// The kinds of the entries that are stored when a session is begun, loaded or prompted.
    package static let useKinds = ["agent_start", "prompt"]

    /// True if the item changes the time of a session's last activity. The end of an agent does not: otherwise all sessions
    /// of a bridge would have the same time after the bridge was stopped.
    package var isActivity: Bool {
        if case .entry(Self.exitKind, _, _) = self { false } else { true }
    }

    /// The number of updates, or 0 for an entry.
    package var lineCount: Int {
        guard case .run(_, let count, _) = self else { return 0 }
        return count
    }

    /// The time at which the item was read, of a run that of its first line; in milliseconds since 1970.
    package var ts: Int64 {
        switch self {
        case .run(_, _, let ts), .entry(_, _, let ts): ts
        }
    }

    /// The bytes of the lines with their line feeds, or of the body.
    package var byteCount: Int {
        switch self {
        case .run(let lines, _, _): lines.count
        case .entry(_, let body, _): body.count
        }
    }
}
