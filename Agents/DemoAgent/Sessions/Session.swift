import DemoPrompts
import JSONRPC
import JSONScan

/// One conversation.
struct Session {
    /// Which actions need permission.
    enum Mode: String, CaseIterable {
        case ask, code, yolo

        var name: String {
            switch self {
            case .ask: "Ask"
            case .code: "Code"
            case .yolo: "Yolo"
            }
        }

        var summary: String {
            switch self {
            case .ask: "Asks before each edit"
            case .code: "Edits without asking"
            case .yolo: "Never asks, even if the prompt requests it"
            }
        }
    }

    let id: String
    var cwd: String
    var mode = Mode.ask
    var paceMilliseconds: Int
    var thinks = true
    var title: String?
    var updatedAt: String
    var history: History
    var turnCount = 0
    var usedTokens = 0
    var rememberedPermission: Bool?
    /// False after the session was closed. A closed session can still be loaded.
    var isOpen = true
    /// The turn of version 1.
    var running: RunningTurn?
    private(set) var version: ProtocolVersion
    /// All scripts of version 2, and child sessions and elicitations of version 1.
    var work = SessionWork()

    init(id: String, cwd: String, paceMilliseconds: Int, updatedAt: String, version: ProtocolVersion = .one) {
        self.version = version
        history = History(version: version)
        self.id = id
        self.cwd = cwd
        self.paceMilliseconds = paceMilliseconds
        self.updatedAt = updatedAt
    }
}

extension Session {
    /// Converts a stored session to the version of the client that continues it.
    mutating func convert(to version: ProtocolVersion) {
        let updates = history.updates.flatMap { StoredUpdate.converted($0, to: version) }
        self.version = version
        history = History(updates: updates, version: version)
        work.children = []
    }
}

/// A turn of version 1, and the id of its prompt request.
struct RunningTurn {
    let promptID: RequestID
    var turn: Turn
    /// The time at which the turn continues; a time in the past means at once.
    var wake: Duration
    /// The id of the pending request to the client.
    var askID: RequestID?
    /// The time at which the agent withdraws the pending request.
    var withdrawsAt: Duration?
    /// The pending request was withdrawn. The client still owes a response.
    var isWithdrawn = false
    /// The turn waits for the scripts beside it.
    var waitsForScripts = false
    var chunkLine: ChunkLine?

    /// The time at which the turn continues by itself.
    var nextTime: Duration? {
        if waitsForScripts { return nil }
        return askID == nil ? wake : withdrawsAt
    }
}

extension Session {
    /// Restores a stored session: its working directory and its updates, in the form that `session/load` replays.
    init(restoring record: SessionRecord, paceMilliseconds: Int) {
        self.init(
            id: record.id, cwd: record.cwd, paceMilliseconds: paceMilliseconds, updatedAt: timestamp(unixSeconds: 0),
            version: record.version)
        isOpen = false
        history = History(updates: record.updates, version: record.version)
        for bytes in record.updates {
            guard let update = try? JSONValue(validating: bytes) else { continue }
            apply(update["update"] ?? update)
        }
    }

    private mutating func apply(_ update: JSONValue) {
        switch update["sessionUpdate"]?.stringValue {
        case "session_info_update":
            title = update["title"]?.stringValue ?? title
            updatedAt = update["updatedAt"]?.stringValue ?? updatedAt
        case "usage_update": usedTokens = update["used"]?.int64Value.flatMap { Int(exactly: $0) } ?? usedTokens
        case "subagent_update":
            guard let id = update["sessionId"]?.stringValue, !work.children.contains(where: { $0.id == id }) else {
                return
            }
            work.children.append(ChildSession(id: id))
        case "user_message_chunk", "user_message":
            // `user_7` belongs to the seventh turn.
            let number = update["messageId"]?.stringValue?.split(separator: "_").last.flatMap { Int($0) }
            turnCount = max(turnCount, number ?? 0)
        default: break
        }
    }
}

/// The stored form of a session.
struct SessionRecord: Equatable {
    let id: String
    let cwd: String
    var updates: [[UInt8]]
    /// The version that the session was created with. A client of the other version can continue it.
    var version = ProtocolVersion.one
}
