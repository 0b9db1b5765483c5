import SessionRecords

/// The open requests of one session's agent, as the hub has them: permission requests and elicitations.
package struct HubRequests: Sendable, Equatable {
    /// 128 KiB for one session: the longest request, and some others. Requests beyond it are left out.
    package static let limitBytes = 128 << 10
    /// The sessions with open requests that a viewer reads, 4 MiB at most.
    package static let sessionLimit = 1_000
    package static let readLimitBytes = 4 << 20

    package let session: HubSid
    package let sessionId: String
    /// The name of the session's bridge.
    package let bridge: String
    /// `{"permissions":[…],"elicitations":[…]}`: rows of `permissions:pending` and `elicitations:pending`.
    package let body: [UInt8]

    package init(session: HubSid, sessionId: String, bridge: String, body: [UInt8]) {
        (self.session, self.sessionId, self.bridge, self.body) = (session, sessionId, bridge, body)
    }
}

/// The open requests of a bridge's sessions, as far as the hub has them. Pure.
package struct PublishedRequests: Sendable, Equatable {
    /// A change of the rows at the hub.
    package struct Change: Sendable, Equatable {
        /// All rows of the log are deleted first: it is not known what the hub has.
        package var replacesAll = false
        package var stored: [Int64: [UInt8]] = [:]
        package var deleted: [Int64] = []

        package var isEmpty: Bool { !replacesAll && stored.isEmpty && deleted.isEmpty }
    }

    /// Nil if it is not known what the hub has.
    private var stored: [Int64: [UInt8]]?
    private var storing: [Int64: [UInt8]]?

    package init() {}

    /// - Parameter current: The texts of all sessions with open requests.
    /// - Returns: The change that makes the hub's rows current, or nil while another change is being stored.
    package mutating func change(to current: [Int64: [UInt8]]) -> Change? {
        guard storing == nil else { return nil }
        var change = Change(replacesAll: stored == nil)
        change.stored = current.filter { stored?[$0.key] != $0.value }
        change.deleted = (stored ?? [:]).keys.filter { current[$0] == nil }.sorted()
        if !change.isEmpty { storing = current }
        return change
    }

    /// The change is stored.
    package mutating func finished() {
        stored = storing
        storing = nil
    }

    /// The change was not stored, or the connection was lost.
    package mutating func failed() {
        stored = nil
        storing = nil
    }
}
