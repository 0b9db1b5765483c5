import Tinyvex

/// What a session's stream or timeline brings, in order.
public enum StreamPiece: Sendable, Equatable {
    /// The bridge has taken the subscription up: at first, and again after each lost connection.
    case opened(StreamOpening)
    case lines(LineRun)
    /// These numbers are not sent on this stream. They lie in the log, unless `reason` says that it does not keep them.
    case skipped(from: Int64, to: Int64, reason: String)
    /// The bridge's log is not the one that the numbers were counted in: whoever keeps them MUST drop everything from
    /// `nextSeq` on. The stream goes on with that number.
    case restarted(nextSeq: Int64)
    /// Everything stored has been sent, and the session has ended. The stream goes on should it be taken up again.
    case ended(seq: Int64, StreamEnd)
    /// Something is wrong with the stream, or worth knowing; it goes on.
    case notice(code: String, message: String)
}

/// Where a stream begins, or goes on.
public struct StreamOpening: Sendable, Equatable {
    /// The number of the next line.
    public let nextSeq: Int64
    /// The last number that was stored then: with `headSeq >= nextSeq` there is something to catch up with.
    public let headSeq: Int64
    /// To be kept beside the number of what was applied, and given back with it.
    public let journal: String?
}

/// How a session ended, as `tinyvex/ended` says it.
public struct StreamEnd: Sendable, Equatable {
    /// `exited`, `signaled`, `closed`, `interrupted`, or what a later bridge says.
    public let reason: String
    public let exitCode: Int64?
    public let signal: Int64?
}

/// Where a stream is to begin.
public enum StreamStart: Sendable, Equatable {
    /// With what is new.
    case now
    /// Behind this number: 0 for the beginning. `journal` is the one that the number was counted under, where it was
    /// kept from an earlier stream; without it the number is taken on trust.
    case after(Int64, journal: String? = nil)
}
