import JSONScan

/// Keeps a client's place in one session's stream, over as many connections as it takes. Pure: it is shown each message
/// and says what that message is; it says what to subscribe with next time.
public struct SessionFollower: Sendable {
    public enum Stream: String, Sendable {
        case updates = "acp:sessionUpdates"
        case timeline = "sessions:timeline"
    }

    /// Where to begin.
    public enum Start: Sendable, Equatable {
        case now
        /// After this number; 0 for the beginning.
        case after(Int64)
    }

    public enum Item: Sendable {
        /// An agent's own line, with its number in the session.
        case update(seq: Int64, line: [UInt8], kind: Range<Int>?)
        /// A value of the timeline.
        case value(JSONValue)
        /// These will not come. `reason` as on the wire: a policy's name, or `retention`.
        case skipped(from: Int64, to: Int64, reason: String)
        /// Said by the bridge about this stream.
        case notice(code: String, message: String)
        /// Everything has been sent, and the session has ended.
        /// `reason` as on the wire: `exited`, `signaled`, `closed`, `interrupted`.
        case ended(reason: String)
        case other
    }

    public let stream: Stream
    public let sessionId: String
    public let agent: String?
    /// The life of the session that is followed.
    public let life: String?
    public static let subId = "follow"
    /// What may be left out, by the policy's name; nil for nothing.
    public let policy: String?

    private var start: Start
    private var journal: String?
    /// The last number the bridge had stored when this connection subscribed.
    public private(set) var headSeq: Int64 = 0

    public init(stream: Stream, sessionId: String, agent: String?, life: String?, start: Start, policy: String? = nil) {
        self.stream = stream
        self.sessionId = sessionId
        self.agent = agent
        self.life = life
        self.start = start
        self.policy = policy
    }

    /// The last number that was seen; what comes next is one more.
    public var position: Int64 { if case .after(let number) = start { number } else { 0 } }

    /// Everything that was stored when this connection subscribed has been seen.
    public var isCaughtUp: Bool { position >= headSeq }

    public func writeSubscribe(to writer: inout JSONWriter) {
        writer.member("subId", Self.subId)
        writer.member("name", stream.rawValue)
        writer.memberObject("params") { writer in
            writer.member("sessionId", sessionId)
            writer.member("agent", ifPresent: agent)
            writer.member("journal", ifPresent: life)
        }
        if case .after(let number) = start { writer.member("lastSeq", number) }
        writer.member("journal", ifPresent: journal)
        writer.member("policy", ifPresent: policy)
    }

    /// The bridge's answer to the subscription.
    public mutating func subscribed(_ result: JSONValue) {
        journal = result["journal"]?.stringValue
        headSeq = result["headSeq"]?.int64Value ?? 0
        if let next = result["startSeq"]?.int64Value { start = .after(next - 1) }
    }

    public mutating func read(_ message: [UInt8]) -> Item {
        guard let envelope = try? scanEnvelope(message.span) else { return .other }
        if stream == .updates, envelope.isSessionUpdate(in: message.span) {
            let seq = position + 1
            start = .after(seq)
            return .update(seq: seq, line: message, kind: envelope.updateKind)
        }
        guard let method = envelope.string(in: message.span, at: envelope.method),
            let params = envelope.params.flatMap({ try? JSONValue(validating: Array(message[$0])) })
        else { return .other }
        return notification(method, params)
    }

    private mutating func notification(_ method: String, _ params: JSONValue) -> Item {
        switch method {
        case "tinyvex/data":
            guard let seq = params["seq"]?.int64Value, let value = params["value"] else { return .other }
            start = .after(seq)
            return .value(value)
        case "tinyvex/skipped":
            guard let from = params["fromSeq"]?.int64Value, let to = params["toSeq"]?.int64Value else { return .other }
            start = .after(to)
            return .skipped(from: from, to: to, reason: params["reason"]?.stringValue ?? "")
        case "tinyvex/error":
            return .notice(code: params["code"]?.stringValue ?? "", message: params["message"]?.stringValue ?? "")
        case "tinyvex/ended": return .ended(reason: params["reason"]?.stringValue ?? "")
        default: return .other
        }
    }
}
