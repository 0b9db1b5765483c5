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
    var history = History()
    var turnCount = 0
    var usedTokens = 0
    var rememberedPermission: Bool?
    /// False after the session was closed. A closed session can still be loaded.
    var isOpen = true
    var running: RunningTurn?

    init(id: String, cwd: String, paceMilliseconds: Int, updatedAt: String) {
        self.id = id
        self.cwd = cwd
        self.paceMilliseconds = paceMilliseconds
        self.updatedAt = updatedAt
    }
}

/// A turn, and the id of its prompt request.
struct RunningTurn {
    let promptID: RequestID
    var turn: Turn
    /// The time at which the turn continues; a time in the past means at once.
    var wake: Duration
    /// The id of the pending request to the client.
    var askID: RequestID?
    var chunkLine: ChunkLine?
}

extension Session {
    /// Restores a stored session: its working directory and its updates, in the form that `session/load` replays.
    init(restoring record: SessionRecord, paceMilliseconds: Int) {
        self.init(
            id: record.id, cwd: record.cwd, paceMilliseconds: paceMilliseconds, updatedAt: timestamp(unixSeconds: 0))
        isOpen = false
        history = History(updates: record.updates)
        for bytes in record.updates {
            guard let update = try? JSONValue(validating: bytes) else { continue }
            apply(update)
        }
    }

    private mutating func apply(_ update: JSONValue) {
        switch update["sessionUpdate"]?.stringValue {
        case "session_info_update":
            title = update["title"]?.stringValue ?? title
            updatedAt = update["updatedAt"]?.stringValue ?? updatedAt
        case "usage_update": usedTokens = update["used"]?.int64Value.flatMap { Int(exactly: $0) } ?? usedTokens
        case "user_message_chunk":
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
}
