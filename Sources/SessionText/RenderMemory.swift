import JSONScan

/// The data that a renderer keeps about earlier entries.
struct RenderMemory: Sendable {
    /// Titles of tool calls, by the call's id.
    var titles = RecentTexts()
    /// The statuses of tool calls that were shown last, by the call's id.
    var statuses = RecentTexts()
    /// The statuses of plan entries that were shown last, by the entry's text.
    var steps = RecentTexts()
    /// Options of permission requests, by the request's id. A request of more than 64 KiB is not kept.
    private var offers = RecentValues<[PermissionOption]>(limit: 20)
    private static let offerLimitBytes = 64 << 10

    /// - Parameter content: The data of a `permission_request` entry.
    mutating func note(offer content: JSONValue, requestId: String) {
        guard content.rawText.count <= Self.offerLimitBytes else { return }
        offers[requestId] = PermissionOption.all(content)
    }

    mutating func takeOffer(_ requestId: String) -> [PermissionOption]? { offers.remove(requestId) }
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

    mutating func remove(_ key: String) -> Value? { values.removeValue(forKey: key) }

    private mutating func makeRoom(for key: String) {
        guard keys.count == limit else { return keys.append(key) }
        values[keys[next]] = nil
        keys[next] = key
        next = (next + 1) % limit
    }
}
