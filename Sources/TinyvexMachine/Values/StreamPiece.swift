/// A piece of a session's stream or timeline. Pieces arrive in order.
package enum StreamPiece: Sendable, Equatable {
    /// The bridge has opened the subscription: at first, and again after each reconnection.
    case opened(StreamOpening)
    case lines(LineRun)
    /// These numbers are not sent on this stream. The log still contains them, unless `reason` states that they are not
    /// kept.
    case skipped(from: Int64, to: Int64, reason: String)
    /// The bridge's log is not the one in which the numbers were counted. A reader that stores lines MUST drop
    /// everything from `nextSeq` on. The stream continues with that number.
    case restarted(nextSeq: Int64)
    /// Everything stored has been sent, and the session has ended. If the session is resumed, the stream continues.
    case ended(seq: Int64, StreamEnd)
    /// A problem with the stream, or other information. The stream continues.
    case notice(code: String, message: String)

    /// True for the notice that updates cannot be stored, so that they are sent later. Its code is JSON-RPC's for an
    /// internal error.
    package var isStorageFailure: Bool { if case .notice("-32603", _) = self { true } else { false } }
}

/// The place at which a stream begins or continues.
public struct StreamOpening: Sendable, Equatable {
    /// The number of the next line.
    public let nextSeq: Int64
    /// The last stored number at that time. If `headSeq >= nextSeq`, there are stored lines to catch up with.
    public let headSeq: Int64
    /// Store this with the number of the last line that was applied, and pass both to the next stream.
    public let journal: String?
}

/// The reason why a session ended, from `tinyvex/ended`.
public struct StreamEnd: Sendable, Equatable {
    /// `exited`, `signaled`, `closed`, `interrupted`, or a value from a later bridge.
    public let reason: String
    public let exitCode: Int64?
    public let signal: Int64?
}

/// The start of a stream.
public enum StreamStart: Sendable, Equatable {
    /// Start with new lines.
    case now
    /// Start after this number; 0 is the beginning. `journal` is the journal of that number, if it was stored with an
    /// earlier stream. Without a journal, the number is not checked.
    case after(Int64, journal: String? = nil)
}
