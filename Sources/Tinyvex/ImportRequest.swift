/// `sessions:import`: one part of a timeline to store.
///
/// The first part begins a session: `{"agent":"codex","title":"Fix the tests","text":"{\"seq\":0,…}\n"}`. Later parts
/// name the import: `{"import":"9f03c2aa","text":"…","last":true}`.
public struct ImportRequest: Sendable, Equatable {
    public enum Place: Sendable, Equatable {
        /// A new session.
        case new(agent: String, title: String?, cwd: String?)
        /// The session that an earlier part has begun, by the id that its response had.
        case open(id: String)
    }

    public let place: Place
    /// Whole lines of an NDJSON export.
    public let text: String
    /// The session is complete after this part.
    public let isLast: Bool

    public init(_ params: Parameters) throws(Rejection) {
        text = try params.string("text")
        isLast = try params.optionalBool("last") ?? false
        if let id = try params.optionalString("import", limitBytes: Self.idLimitBytes) {
            guard params.value("agent") == nil else {
                throw .invalidParams("agent belongs to the first part of an import, which has no import")
            }
            place = .open(id: id)
        } else {
            let agent = try params.optionalString("agent", limitBytes: Self.agentLimitBytes) ?? ""
            guard !agent.isEmpty else { throw .invalidParams("agent is missing") }
            place = .new(
                agent: agent, title: try params.optionalString("title"), cwd: try params.optionalString("cwd"))
        }
    }

    /// The bridge's own ids have 16 bytes.
    private static let idLimitBytes = 64
    /// The names of agents in lists are cut after 256 characters.
    private static let agentLimitBytes = 256
}
