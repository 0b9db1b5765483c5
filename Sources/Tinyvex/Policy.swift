import JSONScan

/// What may be left out when a reader is slow.
public enum Policy: String, Sendable, CaseIterable {
    /// Leaves nothing out: a slow reader reads the log at its own pace.
    case lossless
    /// Of a run of message or thought chunks leaves the first and the newest.
    case latest
    /// As `latest`, for thought chunks only.
    case thoughts
    /// Makes one chunk of a run of text chunks.
    case merge
}

/// A policy, and how far behind a reader must be for it to count. Whoever is less far behind gets everything.
///
///     "latest"
///     {"name":"latest","maxFrames":1000,"maxBytes":262144,"maxAgeMs":200}
public struct PolicyTerms: Sendable, Equatable {
    public var policy: Policy
    /// Updates that are stored and not sent yet.
    public var maxFrames: Int64
    /// The same in bytes.
    public var maxBytes: Int64
    /// How long the oldest of them has been waiting for this reader.
    public var maxAgeMilliseconds: Int64

    /// With the policy's own bounds.
    ///
    /// Leaving out begins late: where what waits would not fit into the session's newest frames in memory (4 MiB), or
    /// is half a second old, which leaves a live view within a second. Merging loses nothing, and begins sooner.
    public init(_ policy: Policy) {
        self.policy = policy
        maxFrames = policy == .merge ? 200 : 20_000
        maxBytes = policy == .merge ? 256 << 10 : 4 << 20
        maxAgeMilliseconds = policy == .merge ? 250 : 500
    }

    /// - Parameter params: those of `tinyvex/subscribe`. A missing policy is `lossless`.
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
