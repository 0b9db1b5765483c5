import JSONRPC
import JSONScan

/// One conversation.
struct Session {
    /// What a prompt may do without asking.
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
            case .yolo: "Never asks, not even when the prompt wants it to"
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
    /// False once it was closed; it can still be loaded.
    var isOpen = true
    var running: RunningTurn?

    init(id: String, cwd: String, paceMilliseconds: Int, updatedAt: String) {
        self.id = id
        self.cwd = cwd
        self.paceMilliseconds = paceMilliseconds
        self.updatedAt = updatedAt
    }
}

/// A turn, and the prompt request that it answers.
struct RunningTurn {
    let promptID: RequestID
    var turn: Turn
    /// When it goes on; in the past: at once.
    var wake: Duration
    /// The request to the client that it waits for.
    var askID: RequestID?
    var chunkLine: ChunkLine?
}

extension Session {
    /// What a store kept of a session: its folder and its updates, as `session/load` replays them.
    init(restoring record: SessionRecord, paceMilliseconds: Int) {
        self.init(
            id: record.id, cwd: record.cwd, paceMilliseconds: paceMilliseconds, updatedAt: timestamp(unixSeconds: 0))
        isOpen = false
        history = History(updates: record.updates)
        for bytes in record.updates {
            guard let update = try? JSONValue(validating: bytes) else { continue }
            take(update)
        }
    }

    private mutating func take(_ update: JSONValue) {
        switch update["sessionUpdate"]?.stringValue {
        case "session_info_update":
            title = update["title"]?.stringValue ?? title
            updatedAt = update["updatedAt"]?.stringValue ?? updatedAt
        case "usage_update": usedTokens = update["used"]?.int64Value.flatMap { Int(exactly: $0) } ?? usedTokens
        case "user_message_chunk":
            // `user_7`: the seventh turn.
            let number = update["messageId"]?.stringValue?.split(separator: "_").last.flatMap { Int($0) }
            turnCount = max(turnCount, number ?? 0)
        default: break
        }
    }
}

/// A session as it is kept outside the process.
struct SessionRecord: Equatable {
    let id: String
    let cwd: String
    var updates: [[UInt8]]
}
