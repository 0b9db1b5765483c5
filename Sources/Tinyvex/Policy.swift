import JSONScan

/// The updates that the bridge can drop when a reader is slow.
public enum Policy: String, Sendable, CaseIterable {
    /// Drops nothing: a slow reader reads from the log at its own speed.
    case lossless
    /// Keeps only the first and the newest chunk of consecutive message or thought chunks.
    case latest
    /// Like `latest`, but only for thought chunks.
    case thoughts
    /// Merges consecutive text chunks into one chunk.
    case merge
}

/// A policy, and how far behind a reader must be for the policy to apply. A reader that is less far behind receives
/// everything.
///
///     "latest"
///     {"name":"latest","maxFrames":1000,"maxBytes":262144,"maxAgeMs":200}
public struct PolicyTerms: Sendable, Equatable {
    public var policy: Policy
    /// The number of updates that are stored but not sent.
    public var maxFrames: Int64
    /// The number of bytes that are stored but not sent.
    public var maxBytes: Int64
    /// The time for which the oldest unsent update has waited for this reader.
    public var maxAgeMilliseconds: Int64

    /// Creates terms with the default bounds of the policy.
    ///
    /// Policies that drop updates start late: when the unsent updates no longer fit into the session's newest
    /// frames in memory (4 MiB), or when the oldest of them has waited for half a second. The delay of a live view
    /// thus stays below one second. Merging loses nothing, so it starts earlier.
    public init(_ policy: Policy) {
        self.policy = policy
        maxFrames = policy == .merge ? 200 : 20_000
        maxBytes = policy == .merge ? 256 << 10 : 4 << 20
        maxAgeMilliseconds = policy == .merge ? 250 : 500
    }

    /// - Parameter params: The params of `tinyvex/subscribe`. A missing policy means `lossless`.
    init(_ params: Parameters) throws(Rejection) {
        guard let value = params.value("policy") else {
            self.init(.lossless)
            return
        }
        if let name = value.stringValue {
            self.init(try Self.policy(named: name))
            return
        }
        guard value.kind == .object else { throw .invalidParams("policy must be a string or an object") }
        let terms = Parameters(value)
        self.init(try Self.policy(named: try terms.string("name")))
        let range = 0...Int64.max
        maxFrames = try terms.optionalInteger("maxFrames", in: range) ?? maxFrames
        maxBytes = try terms.optionalInteger("maxBytes", in: range) ?? maxBytes
        maxAgeMilliseconds = try terms.optionalInteger("maxAgeMs", in: range) ?? maxAgeMilliseconds
    }

    private static func policy(named name: String) throws(Rejection) -> Policy {
        guard let policy = Policy(rawValue: name) else {
            let known = Policy.allCases.map(\.rawValue).joined(separator: ", ")
            throw Rejection(.subscriptionRejected, "unknown policy \(quoted(name)); this bridge serves: \(known)")
        }
        return policy
    }
}
