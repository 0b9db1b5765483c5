import JSONRPC
import JSONScan
import Tinyvex

/// What a subscription is for: equal targets share one subscription at the bridge.
struct StreamTarget: Hashable, Sendable {
    /// `sessions:list`
    let name: String
    /// The params as canonical JSON text: one object, members sorted.
    let params: [UInt8]

    /// Which ordered stream it is; nil for a value, of which only the newest counts.
    var ordered: StreamName? { StreamName(rawValue: name) }

    /// Whose updates come, by `params.sessionId`.
    var sessionId: String? { (try? JSONValue(validating: params))?["sessionId"]?.stringValue }
}

/// `tinyvex/subscribe`'s params.
struct SubscribeParams: Equatable, Sendable {
    var subId: String
    var target: StreamTarget
    /// The life of the session that is followed, where the target itself does not name one.
    var life: String?
    var lastSeq: Int64?
    var journal: String?
    var policy: String?

    func write(to writer: inout JSONWriter) {
        writer.member("subId", subId)
        writer.member("name", target.name)
        writeTarget(to: &writer)
        writer.member("lastSeq", ifPresent: lastSeq)
        writer.member("journal", ifPresent: journal)
        writer.member("policy", ifPresent: policy)
    }

    private func writeTarget(to writer: inout JSONWriter) {
        guard let life, let params = try? JSONValue(validating: target.params), params["journal"] == nil else {
            return writer.member("params", raw: target.params)
        }
        writer.memberObject("params") { writer in
            for (name, value) in params.members { writer.member(name, value) }
            writer.member("journal", life)
        }
    }
}

/// The answer to `tinyvex/subscribe`.
struct SubscribeAnswer: Equatable, Sendable {
    let isResumed: Bool
    let startSeq: Int64
    let headSeq: Int64
    let journal: String?

    /// Members that are missing or of another kind read as a stream that begins at 1; no number is out of a position's
    /// range.
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

/// Numbers of a stream, so bounded that counting on from what a peer says never overflows.
enum StreamPosition {
    static func clamp(_ number: Int64) -> Int64 { min(max(0, number), 1 << 62) }
}
