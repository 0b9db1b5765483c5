import ACPMethods
import ACPRouting
import JSONScan
import ProductVersion

/// The sessions of an agent that has failed, and the requests with which another start of the agent continues them.
/// Pure. It is part of a hand-over.
struct InterruptedWork: Equatable, Sendable, Codable {
    struct OpenSession: Equatable, Sendable, Codable {
        let id: String
        let folder: String
    }

    let version: Int64
    /// `session/resume`, or `session/load` if the agent has only that.
    let method: String
    private(set) var sessions: [OpenSession]

    /// The sessions that are continued. An agent has a few; the bound keeps a restart short.
    static let sessionLimit = 100

    /// Returns nil if the agent cannot continue a session, or has none.
    ///
    /// - Parameter initializeResult: The agent's answer to `initialize`.
    init?(_ sessions: [OpenSession], initializeResult: [UInt8]?) {
        guard !sessions.isEmpty, let initializeResult, let value = try? JSONValue(validating: initializeResult),
            let version = value["protocolVersion"]?.int64Value,
            let method = ACPMethod.continuing(afterInitialize: value)
        else { return nil }
        self.version = version
        self.method = method.name
        self.sessions = Array(sessions.sorted { $0.id < $1.id }.prefix(Self.sessionLimit))
    }

    mutating func remove(_ session: String) { sessions.removeAll { $0.id == session } }

    /// The sessions of both, or nil if there are none.
    static func union(_ work: InterruptedWork?, _ rest: InterruptedWork?) -> InterruptedWork? {
        guard var union = work ?? rest else { return nil }
        let ids = Set(union.sessions.map(\.id))
        union.sessions += (rest?.sessions ?? []).filter { !ids.contains($0.id) }
        union.sessions = Array(union.sessions.prefix(sessionLimit))
        return union.sessions.isEmpty ? nil : union
    }

    /// The parameters of `initialize`. The other clients of the bridge are the same as when the bridge begins a session.
    var initializeParams: [UInt8] { SessionOpening.initializeParams(program: programVersion, offering: version) }
}
