import JSONRPC
import JSONScan
import Tinyvex

/// The target of a subscription. Equal targets share one subscription at the bridge.
package struct StreamTarget: Hashable, Sendable {
    /// `sessions:list`
    let name: String
    /// The params as canonical JSON text: one object, members sorted.
    let params: [UInt8]
    /// The only reader of this subscription. Nil if all readers of the same name and params share one.
    let owner: SubscriberID?

    package init(name: String, params: [UInt8], owner: SubscriberID? = nil) {
        self.name = name
        self.params = params
        self.owner = owner
    }

    /// The kind of ordered stream; nil for a value, for which only the newest counts.
    var ordered: StreamName? { StreamName(rawValue: name) }

    /// The session of the stream, from `params.sessionId`.
    var sessionId: String? { (try? JSONValue(validating: params))?["sessionId"]?.stringValue }
}

/// The params of `tinyvex/subscribe`.
struct SubscribeParams: Equatable, Sendable {
    var subId: String
    var target: StreamTarget
    /// The incarnation of the session to follow, if the target itself does not name one.
    var incarnation: String?
    var lastSeq: Int64?
    var journal: String?
    var policy: StreamPolicy?

    func write(to writer: inout JSONWriter) {
        writer.member("subId", subId)
        writer.member("name", target.name)
        writeTarget(to: &writer)
        writer.member("lastSeq", ifPresent: lastSeq)
        writer.member("journal", ifPresent: journal)
        policy?.write(to: &writer)
    }

    private func writeTarget(to writer: inout JSONWriter) {
        guard let incarnation, let params = try? JSONValue(validating: target.params), params["journal"] == nil else {
            return writer.member("params", raw: target.params)
        }
        writer.memberObject("params") { writer in
            for (name, value) in params.members { writer.member(name, value) }
            writer.member("journal", incarnation)
        }
    }
}

/// The answer to `tinyvex/subscribe`.
struct SubscribeAnswer: Equatable, Sendable {
    let isResumed: Bool
    let startSeq: Int64
    let headSeq: Int64
    let journal: String?

    /// A missing member, or one of another type, is read as if the stream began at 1. Numbers are clamped to the range
    /// of a position.
    init(_ result: JSONValue) {
        isResumed = result["resumed"]?.boolValue ?? false
        startSeq = max(1, StreamPosition.clamp(result["startSeq"]?.int64Value ?? 1))
        headSeq = StreamPosition.clamp(result["headSeq"]?.int64Value ?? startSeq - 1)
        journal = result["journal"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    init(isResumed: Bool, startSeq: Int64, headSeq: Int64, journal: String?) {
        self.isResumed = isResumed
        self.startSeq = startSeq
        self.headSeq = headSeq
        self.journal = journal
    }
}

/// Clamps stream numbers, so that counting on from a peer's number never overflows.
enum StreamPosition {
    static func clamp(_ number: Int64) -> Int64 { min(max(0, number), 1 << 62) }
}
