import JSONRPC
import JSONScan

/// What a server says of itself when a client connects.
public struct ConnectResult: Sendable {
    public var serverVersion: String
    public var nowTs: Int64
    /// Names the connection, not an ACP session.
    public var connectionId: String
    /// Whether large values come in chunks on this connection.
    public var chunks: Bool
    /// What the client may do, by the token it has shown; nil: nothing.
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

/// The answer to `tinyvex/subscribe`.
public struct SubscribeResult: Sendable {
    /// True when a stream goes on exactly after the client's `lastSeq`.
    public var resumed: Bool
    /// The number of the next message on the stream.
    public var startSeq: Int64
    /// The last number stored when the subscription was made; `startSeq - 1` when there was nothing to replay.
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

/// A piece of a value that is too large for one message: `{"subId":"a","seq":3,"chunk":"…","part":1,"total":9,
/// "transitionId":"17"}`. The pieces' strings, joined in the order of `part`, are the JSON text of the value.
public struct TransitionChunk: Sendable {
    /// 64 KiB of the value's text, in UTF-8 and before it is escaped.
    public static let limitBytes = 64 << 10

    public var subId: String
    /// As `tinyvex/data` would have it.
    public var seq: Int64
    public var chunk: String
    /// From 1 to `total`.
    public var part: Int
    public var total: Int
    /// The same in all pieces of a value.
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

/// How a session's agent ended.
public enum SessionEnd: Sendable, Equatable {
    case exited(code: Int32)
    case signaled(signal: Int32)
    /// The session was closed while its agent went on.
    case closed
    /// The bridge was killed while the session ran.
    case interrupted

    /// As the log keeps it: `exit:0`, `signal:9`, `closed`, `interrupted`.
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

/// Notifications a server sends.
public enum ServerNotification {
    /// Every notification that is sent, beside the agents' own `session/update`.
    public enum Method: String, Sendable, CaseIterable {
        case data = "tinyvex/data"
        case transitionChunk = "tinyvex/transitionChunk"
        case ended = "tinyvex/ended"
        case error = "tinyvex/error"
        case skipped = "tinyvex/skipped"
        case pong = "tinyvex/pong"
    }

    /// `tinyvex/data`: a value of a subscription; `seq` grows by one with each on a timeline.
    public static func data(subId: String, seq: Int64, value: [UInt8]) -> [UInt8] {
        MessageText.notification(method: Method.data.rawValue) { writer in
            writer.member("subId", subId)
            writer.member("seq", seq)
            writer.member("value", raw: value)
        }
    }

    /// `tinyvex/transitionChunk`: a piece of a value's text.
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

    /// `tinyvex/skipped`: these messages are not sent on the subscription; the next one is that behind them.
    public static func skipped(subId: String, fromSeq: Int64, toSeq: Int64, reason: SkipReason) -> [UInt8] {
        MessageText.notification(method: Method.skipped.rawValue) { writer in
            writer.member("subId", subId)
            writer.member("fromSeq", fromSeq)
            writer.member("toSeq", toSeq)
            writer.member("reason", reason.rawValue)
        }
    }

    /// `tinyvex/pong`: the answer to a `tinyvex/ping` that has no id.
    ///
    /// - Parameter t: the client's own, given back as it came.
    public static func pong(t: JSONValue?) -> [UInt8] {
        MessageText.notification(method: Method.pong.rawValue) { writer in
            if let t { writer.member("t", raw: t.rawText) }
        }
    }

    /// `tinyvex/ended`: everything stored has been sent on the subscription, and the session has ended.
    public static func ended(subId: String, seq: Int64, end: SessionEnd) -> [UInt8] {
        MessageText.notification(method: Method.ended.rawValue) { writer in
            writer.member("subId", subId)
            writer.member("seq", seq)
            end.write(to: &writer)
        }
    }
}
