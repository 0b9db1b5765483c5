import JSONScan
import Tinyvex

/// The updates that the bridge can drop when a reader is slow, and how far behind a reader must be for that.
///
///     client.sessionEvents(sessionId: "s1", policy: .latest)
///     client.sessionEvents(sessionId: "s1", policy: StreamPolicy("merge", maxFrames: 1_000, maxAge: .milliseconds(200)))
///
/// A limit that is nil has the bridge's default for the policy.
public struct StreamPolicy: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The policy's name in the protocol.
    public var name: String
    /// The number of updates that are stored but not sent.
    public var maxFrames: Int64?
    /// The number of bytes that are stored but not sent.
    public var maxBytes: Int64?
    /// The time for which the oldest unsent update has waited, in whole milliseconds on the wire.
    public var maxAge: Duration?

    public init(_ name: String, maxFrames: Int64? = nil, maxBytes: Int64? = nil, maxAge: Duration? = nil) {
        self.name = name
        self.maxFrames = maxFrames
        self.maxBytes = maxBytes
        self.maxAge = maxAge
    }

    public init(stringLiteral name: String) { self.init(name) }

    /// Drops nothing: a slow reader reads from the log at its own speed.
    public static let lossless: StreamPolicy = "lossless"
    /// Keeps only the first and the newest chunk of consecutive message or thought chunks.
    public static let latest: StreamPolicy = "latest"
    /// Like `latest`, but only for thought chunks.
    public static let thoughts: StreamPolicy = "thoughts"
    /// Merges consecutive text chunks into one chunk.
    public static let merge: StreamPolicy = "merge"

    /// Writes the member `policy`: a name, or an object if there are limits.
    func write(to writer: inout JSONWriter) {
        guard maxFrames != nil || maxBytes != nil || maxAge != nil else { return writer.member("policy", name) }
        writer.memberObject("policy") { writer in
            writer.member("name", name)
            writer.member("maxFrames", ifPresent: maxFrames)
            writer.member("maxBytes", ifPresent: maxBytes)
            writer.member("maxAgeMs", ifPresent: maxAge?.wholeMilliseconds)
        }
    }
}
