import JSONRPC
import JSONScan

/// The server's response to `tinyvex/connect`.
public struct ConnectResult: Sendable {
    public var serverVersion: String
    public var nowTs: Int64
    /// The id of the connection; not an ACP session id.
    public var connectionId: String
    /// Whether large values are sent in chunks on this connection.
    public var chunks: Bool
    /// The role that the client's token grants; nil means no rights.
    public var role: Role?

    public init(serverVersion: String, nowTs: Int64, connectionId: String, chunks: Bool, role: Role?) {
        self.role = role
        self.serverVersion = serverVersion
        self.nowTs = nowTs
        self.connectionId = connectionId
        self.chunks = chunks
    }

    public func json() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("serverVersion", serverVersion)
            writer.member("nowTs", nowTs)
            writer.memberObject("features") { writer in
                writer.member("chunks", chunks)
                writer.member("maxChunkBytes", TransitionChunk.limitBytes)
                writer.memberArray("policies") { writer in
                    for policy in Policy.allCases { writer.element(policy.rawValue) }
                }
            }
            writer.member("sessionId", connectionId)
            writer.member("role", ifPresent: role?.rawValue)
        }
    }
}

/// The response to `tinyvex/subscribe`.
public struct SubscribeResult: Sendable {
    /// True if the stream continues exactly after the client's `lastSeq`.
    public var resumed: Bool
    /// The sequence number of the next message on the stream.
    public var startSeq: Int64
    /// The last sequence number stored at the time of the subscription; `startSeq - 1` if there is nothing to
    /// replay.
    public var headSeq: Int64
    public var journal: String

    public init(resumed: Bool, startSeq: Int64, headSeq: Int64, journal: String) {
        self.resumed = resumed
        self.startSeq = startSeq
        self.headSeq = headSeq
        self.journal = journal
    }

    public func json() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("accepted", true)
            writer.member("resumed", resumed)
            writer.member("startSeq", startSeq)
            writer.member("headSeq", headSeq)
            writer.member("journal", journal)
        }
    }
}

/// A chunk of a value that is too large for one message:
/// `{"subId":"a","seq":3,"chunk":"…","part":1,"total":9,"transitionId":"17"}`. The chunks' strings, joined in the order
/// of `part`, are the JSON text of the value.
public struct TransitionChunk: Sendable {
    /// 64 KiB of the value's text, in UTF-8 and before JSON escaping.
    public static let limitBytes = 64 << 10

    public var subId: String
    /// The sequence number that `tinyvex/data` would have.
    public var seq: Int64
    public var chunk: String
    /// The number of the chunk, from 1 to `total`.
    public var part: Int
    public var total: Int
    /// An id that all chunks of one value share.
    public var transitionId: String

    public init(subId: String, seq: Int64, chunk: String, part: Int, total: Int, transitionId: String) {
        self.subId = subId
        self.seq = seq
        self.chunk = chunk
        self.part = part
        self.total = total
        self.transitionId = transitionId
    }
}

/// The way in which a session ended.
public enum SessionEnd: Sendable, Equatable {
    case exited(code: Int32)
    case signaled(signal: Int32)
    /// The session was closed while its agent continued to run.
    case closed
    /// The bridge was killed while the session was running.
    case interrupted

    /// The text stored in the log: `exit:0`, `signal:9`, `closed`, `interrupted`.
    public var storedText: String {
        switch self {
        case .exited(let code): "exit:\(code)"
        case .signaled(let signal): "signal:\(signal)"
        case .closed: "closed"
        case .interrupted: "interrupted"
        }
    }

    public init?(storedText: String) {
        let parts = storedText.split(separator: ":", maxSplits: 1)
        switch (parts.first, parts.dropFirst().first.flatMap { Int32($0) }) {
        case ("exit", let code?): self = .exited(code: code)
        case ("signal", let signal?): self = .signaled(signal: signal)
        case ("closed", nil): self = .closed
        case ("interrupted", nil): self = .interrupted
        default: return nil
        }
    }

    public func write(to writer: inout JSONWriter) {
        switch self {
        case .exited(let code):
            writer.member("reason", "exited")
            writer.member("exitCode", Int64(code))
        case .signaled(let signal):
            writer.member("reason", "signaled")
            writer.member("signal", Int64(signal))
        case .closed: writer.member("reason", "closed")
        case .interrupted: writer.member("reason", "interrupted")
        }
    }
}

/// Notifications that a server sends.
public enum ServerNotification {
    /// All notifications that a server sends, apart from the agents' own `session/update`.
    public enum Method: String, Sendable, CaseIterable {
        case data = "tinyvex/data"
        case transitionChunk = "tinyvex/transitionChunk"
        case ended = "tinyvex/ended"
        case error = "tinyvex/error"
        case skipped = "tinyvex/skipped"
        case pong = "tinyvex/pong"
    }

    /// `tinyvex/data`: a value of a subscription. On a timeline, `seq` grows by one with each value.
    public static func data(subId: String, seq: Int64, value: [UInt8]) -> [UInt8] {
        MessageText.notification(method: Method.data.rawValue) { writer in
            writer.member("subId", subId)
            writer.member("seq", seq)
            writer.member("value", raw: value)
        }
    }

    /// `tinyvex/transitionChunk`: a chunk of a value's text.
    public static func transitionChunk(_ chunk: TransitionChunk) -> [UInt8] {
        MessageText.notification(method: Method.transitionChunk.rawValue) { writer in
            writer.member("subId", chunk.subId)
            writer.member("seq", chunk.seq)
            writer.member("chunk", chunk.chunk)
            writer.member("part", chunk.part)
            writer.member("total", chunk.total)
            writer.member("transitionId", chunk.transitionId)
        }
    }

    /// `tinyvex/skipped`: the subscription does not receive these messages. The next message is the one after
    /// `toSeq`.
    public static func skipped(subId: String, fromSeq: Int64, toSeq: Int64, reason: SkipReason) -> [UInt8] {
        MessageText.notification(method: Method.skipped.rawValue) { writer in
            writer.member("subId", subId)
            writer.member("fromSeq", fromSeq)
            writer.member("toSeq", toSeq)
            writer.member("reason", reason.rawValue)
        }
    }

    /// `tinyvex/pong`: the response to a `tinyvex/ping` without an id.
    ///
    /// - Parameter t: The value that the client sent, unchanged.
    public static func pong(t: JSONValue?) -> [UInt8] {
        MessageText.notification(method: Method.pong.rawValue) { writer in
            if let t { writer.member("t", raw: t.rawText) }
        }
    }

    /// `tinyvex/ended`: all stored messages have been sent on the subscription, and the session has ended.
    public static func ended(subId: String, seq: Int64, end: SessionEnd) -> [UInt8] {
        MessageText.notification(method: Method.ended.rawValue) { writer in
            writer.member("subId", subId)
            writer.member("seq", seq)
            end.write(to: &writer)
        }
    }
}
