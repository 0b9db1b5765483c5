import JSONScan

/// The data that a renderer keeps about earlier entries.
struct RenderMemory: Sendable {
    /// Titles of tool calls, by the call's id.
    var titles = RecentTexts()
    /// The statuses of tool calls and compactions that were shown last, by their id.
    var statuses = RecentTexts()
    /// The changes in tool calls' content that were not shown yet, one a line, by the call's id.
    var changes = RecentTexts()
    /// The statuses of plan entries that were shown last, by the entry's text.
    var steps = RecentTexts()
    /// Texts that were shown once, by a key: commands and ends of terminals, plans that are one text, modes.
    var others = RecentTexts()
    /// The texts of prompts before their `user_message`.
    var prompts = RecentTexts()
    /// The texts of messages, by ``ExportCursor/Line`` and id. At most some 100 bytes and an id for each.
    private var messages = RecentValues<ShownText>(limit: 1_000)
    private var terminals = RecentValues<ShownOutput>(limit: 1_000)
    /// 1 KiB. The text of a message with a longer id is not remembered.
    private static let idLimitBytes = 1 << 10
    /// The end of the turn that was shown last, if no turn has begun since.
    var end: String?
    /// True from the end of a turn to the next one.
    var isBetweenTurns = false
    var sessions = SessionStates()
    /// True after an update of a kind that only ACP version 2 has. There, `null` in an update clears a member.
    var isVersion2 = false
    /// Options of permission requests, by the request's id. A request of more than 64 KiB is not kept.
    private var offers = RecentValues<[PermissionOption]>(limit: 20)
    private static let offerLimitBytes = 64 << 10

    mutating func turnBegan() { (end, isBetweenTurns) = (nil, false) }

    mutating func turnEnded(_ end: String) { (self.end, isBetweenTurns) = (end, true) }

    /// - Parameter content: The data of a `permission_request` entry.
    mutating func note(offer content: JSONValue, requestId: String) {
        guard content.rawText.count <= Self.offerLimitBytes else { return }
        offers[requestId] = PermissionOption.all(content)
    }

    subscript(message key: String) -> ShownText {
        get { messages[key] ?? ShownText() }
        set { if key.utf8.count <= Self.idLimitBytes { messages[key] = newValue } }
    }

    subscript(terminal key: String) -> ShownOutput {
        get { terminals[key] ?? ShownOutput() }
        set { if key.utf8.count <= Self.idLimitBytes { terminals[key] = newValue } }
    }

    mutating func takeOffer(_ requestId: String) -> [PermissionOption]? { offers.remove(requestId) }
}

/// The output of one terminal that was shown so far.
struct ShownOutput: Sendable {
    var shown = ShownText()
    var decoder = OutputDecoder()
}

/// The subagents of a session, and which sessions are at work.
struct SessionStates: Sendable {
    struct Place: Sendable {
        /// How many sessions are above the subagent.
        let depth: Int
        /// 1 for the subagent that was announced first.
        let number: Int
    }

    /// By the subagent's session id.
    private var places = RecentValues<Place>(limit: 1_000)
    private var count = 0
    private var working = RecentTexts()
    /// 1 KiB, the limit for the id of a session.
    private static let idLimitBytes = 1 << 10
    private static let depthLimit = 8

    /// How many sessions are above this one; 0 for the session itself.
    func depth(of session: String) -> Int { places[session]?.depth ?? 0 }

    /// Nil for a session that is no subagent.
    func place(of session: String) -> Place? { places[session] }

    /// - Returns: True for the first update about this subagent.
    mutating func announce(_ child: String, under parent: String) -> Bool {
        guard places[child] == nil, child.utf8.count <= Self.idLimitBytes else { return false }
        count += 1
        places[child] = Place(depth: min(Self.depthLimit, depth(of: parent) + 1), number: count)
        return true
    }

    /// - Returns: True if the session worked until now.
    mutating func end(_ session: String) -> Bool { working.remove(key(session)) != nil }

    func isWorking(_ session: String) -> Bool { working[key(session)] != nil }

    mutating func begin(_ session: String) { working[key(session)] = "" }

    /// The entries of a timeline that are not updates do not name their session.
    private func key(_ session: String) -> String { places[session] == nil ? "" : session }
}

/// Short texts by key. A text is not kept if it and its key are longer than 8 KiB together, so a table has 8 MiB at
/// most.
struct RecentTexts: Sendable {
    private static let limitBytes = 8 << 10
    private var values = RecentValues<String>(limit: 1_000)

    subscript(key: String) -> String? {
        get { values[key] }
        set {
            guard let newValue, key.utf8.count + newValue.utf8.count <= Self.limitBytes else { return }
            values[key] = newValue
        }
    }

    mutating func remove(_ key: String) -> String? { values.remove(key) }

    /// Stores the text.
    ///
    /// - Returns: False if it was stored under this key before.
    mutating func isNew(_ text: String, for key: String) -> Bool {
        guard self[key] != text else { return false }
        self[key] = text
        return true
    }
}

/// A table that keeps only the most recently added keys and their values.
struct RecentValues<Value: Sendable>: Sendable {
    private let limit: Int
    private var values: [String: Value] = [:]
    /// Keys in the order in which they were added. If the table is full, `next` is the index of the oldest key.
    private var keys: [String] = []
    private var next = 0

    init(limit: Int) { self.limit = limit }

    subscript(key: String) -> Value? {
        get { values[key] }
        set {
            if values[key] == nil { makeRoom(for: key) }
            values[key] = newValue
        }
    }

    mutating func remove(_ key: String) -> Value? {
        guard let value = values.removeValue(forKey: key) else { return nil }
        // In the order of their addition, so that the oldest is the first again.
        keys = Array(keys[next...] + keys[..<next])
        next = 0
        keys.removeAll { $0 == key }
        return value
    }

    private mutating func makeRoom(for key: String) {
        guard keys.count == limit else { return keys.append(key) }
        values[keys[next]] = nil
        keys[next] = key
        next = (next + 1) % limit
    }
}
