import JSONScan
import SessionRecords
import Tinyvex

/// A request of a peer to read this bridge's own log: the args of the action `log:read`. Pure.
///
/// Both ends use this type, so that a request has one form. All requests but ``identity`` name the log, because numbers
/// of sessions belong to one log.
package enum LogRequest: Sendable, Equatable {
    /// The log's id and the bridge's name.
    case identity
    /// A page of all sessions, the last active first.
    ///
    /// - `changes`: the count of changes in the previous answer. If it is still the same, the answer has no rows.
    case list(limit: Int, after: ListingPosition?, changes: Int64?)
    /// The newest incarnation under this name, for each agent and tenant.
    case find(sessionId: String, agent: String?)
    /// One incarnation.
    case incarnation(sid: Int64)
    /// One incarnation, as soon as it differs from this state, or after ``waitSeconds``.
    case change(of: KnownState)
    /// - `from`: the first update. It is the member `after` of the args, which for a page is inclusive.
    case page(sid: Int64, from: Int64, maxBytes: Int)
    /// - `after`: the number before the first item.
    /// - `through`: the last number that is needed. Bridges of earlier versions return more.
    case timeline(sid: Int64, after: Int64, through: Int64 = .max, maxBytes: Int)
    case updates(sid: Int64, start: HistoryStart, limit: Int, direction: HistoryDirection)
    case position(sid: Int64, journal: Journal, seq: Int64)
    /// The usage of all sessions on these days.
    case usage(starts: [Int64])

    /// The state of an incarnation that a peer knows.
    package struct KnownState: Sendable, Equatable {
        package let sid: Int64
        package let epoch: Int64
        /// The last timeline number.
        package let timelineHead: Int64
        package let isLive: Bool
        package let isRunning: Bool
        /// The `queuedTs` of the waiting prompts. Nil if the peer does not follow them: it is of an earlier version.
        package let queue: [Int64]?

        package init(
            sid: Int64, epoch: Int64, timelineHead: Int64, isLive: Bool, isRunning: Bool, queue: [Int64]? = nil
        ) {
            self.sid = sid
            self.epoch = epoch
            self.timelineHead = timelineHead
            self.isLive = isLive
            self.isRunning = isRunning
            self.queue = queue
        }
    }

    /// 20 s: less than the silence after which a proxy closes a connection.
    package static let waitSeconds: Int64 = 20
    /// Rows of one page of a list.
    package static let listLimit = 1_000

    /// The session's place in the log (`sid`). Nil for a request about several sessions.
    package var sid: Int64? {
        switch self {
        case .identity, .list, .find, .usage: nil
        case .incarnation(let sid), .page(let sid, _, _), .timeline(let sid, _, _, _), .updates(let sid, _, _, _),
            .position(let sid, _, _):
            sid
        case .change(let known): known.sid
        }
    }

    /// The answer can come much later.
    package var waits: Bool { if case .change = self { true } else { false } }

    private enum Name: String {
        case identity, list, find, incarnation, change, page, timeline, updates, position, usage
    }

    private var name: Name {
        switch self {
        case .identity: .identity
        case .list: .list
        case .find: .find
        case .incarnation: .incarnation
        case .change: .change
        case .page: .page
        case .timeline: .timeline
        case .updates: .updates
        case .position: .position
        case .usage: .usage
        }
    }
}

// MARK: JSON

extension LogRequest {
    /// The args of the action.
    ///
    /// - Parameter logId: the log that the request is for; nil with ``identity`` only.
    package func arguments(log logId: UInt32?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("read", name.rawValue)
            writer.member("log", ifPresent: logId.map(LogName.text))
            writer.member("sid", ifPresent: sid)
            write(to: &writer)
        }
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .identity, .incarnation: break
        case .list(let limit, let after, let changes):
            writer.member("limit", limit)
            writer.member("after", ifPresent: after?.description)
            writer.member("changes", ifPresent: changes)
        case .find(let sessionId, let agent):
            writer.member("sessionId", sessionId)
            writer.member("agent", ifPresent: agent)
        case .change(let known):
            writer.member("epoch", known.epoch)
            writer.member("after", known.timelineHead)
            writer.member("live", known.isLive)
            writer.member("running", known.isRunning)
            if let queue = known.queue {
                writer.memberArray("queue") { writer in for ts in queue { writer.element(ts) } }
            }
        case .page(_, let number, let maxBytes):
            writer.member("after", number)
            writer.member("maxBytes", maxBytes)
        case .timeline(_, let number, let through, let maxBytes):
            writer.member("after", number)
            writer.member("through", ifPresent: through < .max ? through : nil)
            writer.member("maxBytes", maxBytes)
        case .updates(_, let start, let limit, let direction):
            switch start {
            case .seq(let seq): writer.member("seq", seq)
            case .ts(let ts): writer.member("ts", ts)
            }
            writer.member("limit", limit)
            writer.member("backward", direction == .backward)
        case .position(_, let journal, let seq):
            writer.member("journal", journal.description)
            writer.member("seq", seq)
        case .usage(let starts): writer.memberArray("starts") { for start in starts { $0.element(start) } }
        }
    }

    /// Decodes the args, and checks that they are for this log.
    ///
    /// - Throws: TVX008 if the request is for another log.
    package init(_ arguments: Parameters, log logId: UInt32) throws(Rejection) {
        guard let name = Name(rawValue: try arguments.string("read")) else {
            throw .invalidParams(
                "read must be identity, list, find, incarnation, change, page, timeline, updates, position or usage")
        }
        if name == .identity {
            self = .identity
            return
        }
        guard try arguments.string("log") == LogName.text(logId) else {
            throw Rejection(.sessionNotFound, "this bridge has another log now")
        }
        self = try Self.decode(name, arguments)
    }

    private static func decode(_ name: Name, _ arguments: Parameters) throws(Rejection) -> LogRequest {
        switch name {
        case .identity: return .identity
        case .list:
            let limit = try arguments.optionalInteger("limit", in: 1...Int64(listLimit)) ?? Int64(listLimit)
            let after = try arguments.optionalString("after", limitBytes: 64)
            let position = after.flatMap { ListingPosition($0) }
            guard (after == nil) == (position == nil) else { throw .unknownCursor }
            return .list(
                limit: Int(limit), after: position, changes: try arguments.optionalInteger("changes", in: 0...(.max)))
        case .find:
            let reference = try SessionReference(arguments)
            return .find(sessionId: reference.sessionId, agent: reference.agent)
        case .incarnation: return .incarnation(sid: try number("sid", arguments))
        case .change: return .change(of: try knownState(arguments))
        case .page:
            return .page(
                sid: try number("sid", arguments), from: try number("after", arguments),
                maxBytes: try maxBytes(arguments))
        case .timeline:
            return .timeline(
                sid: try number("sid", arguments), after: try number("after", arguments),
                through: try arguments.optionalInteger("through", in: 0...(.max)) ?? .max,
                maxBytes: try maxBytes(arguments))
        case .updates: return try updates(arguments)
        case .position:
            guard let journal = Journal(try arguments.string("journal")) else {
                throw .invalidParams("journal must be a session's journal")
            }
            return .position(
                sid: try number("sid", arguments), journal: journal, seq: try number("seq", arguments))
        case .usage: return .usage(starts: try UsageByDayRequest(arguments).starts)
        }
    }

    private static func knownState(_ arguments: Parameters) throws(Rejection) -> KnownState {
        let queue = arguments.value("queue")?.elements(atMost: RemotePrompt.limit)
        return KnownState(
            sid: try number("sid", arguments), epoch: try number("epoch", arguments),
            timelineHead: try number("after", arguments), isLive: try arguments.optionalBool("live") ?? false,
            isRunning: try arguments.optionalBool("running") ?? false, queue: queue?.compactMap(\.int64Value))
    }

    private static func updates(_ arguments: Parameters) throws(Rejection) -> LogRequest {
        let start: HistoryStart =
            if let ts = try arguments.optionalInteger("ts", in: 0...(.max)) {
                .ts(ts)
            } else {
                .seq(try number("seq", arguments))
            }
        return .updates(
            sid: try number("sid", arguments), start: start,
            limit: Int(try arguments.optionalInteger("limit", in: 1...1000) ?? 100),
            direction: try arguments.optionalBool("backward") == true ? .backward : .forward)
    }

    private static func number(_ name: String, _ arguments: Parameters) throws(Rejection) -> Int64 {
        guard let number = try arguments.optionalInteger(name, in: 0...(.max)) else {
            throw .invalidParams("\(name) is missing")
        }
        return number
    }

    private static func maxBytes(_ arguments: Parameters) throws(Rejection) -> Int {
        let bytes = try arguments.optionalInteger("maxBytes", in: 1...Int64(ReadLimit.pageBytes))
        return bytes.map { Int($0) } ?? ReadLimit.defaultPageBytes
    }
}
