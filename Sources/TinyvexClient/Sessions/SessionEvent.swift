import ACP
import TinyvexMachine
import TinyvexSync

/// An event of a session's stream. Events arrive in order.
public enum SessionEvent: Sendable {
    /// The bridge has opened the subscription: the first time, and again after each lost connection. `headSeq` is
    /// the sequence number up to which the stream must catch up. Store `journal` together with the number of the
    /// last update that was applied.
    case opened(StreamOpening)
    /// An update from the agent, with its sequence number in the session.
    case update(seq: Int64, ACP.Client.SessionNotificationWire)
    /// A line from the agent that does not match the ACP schema for its kind. The line is unchanged.
    case unreadable(seq: Int64, line: [UInt8], DecodingFault)
    /// The stream does not carry these sequence numbers. Their lines are in the log, unless `reason` states
    /// otherwise.
    case skipped(from: Int64, to: Int64, reason: String)
    /// The bridge's log is not the one that the sequence numbers refer to. Discard everything from `nextSeq` on;
    /// the stream continues there.
    case restarted(nextSeq: Int64)
    /// All updates have arrived, and the session has ended. The stream continues if an agent opens the session
    /// again.
    case ended(seq: Int64, StreamEnd)
    /// Information about the stream, which continues.
    case notice(code: String, message: String)
}

/// A session's stream with all its events.
///
/// Each sequence number arrives exactly once and in order, across any number of connections. Only the numbers that
/// the bridge reports as skipped are missing. The subscription begins when the sequence is created. Each iteration
/// is a separate subscription, which ends when its iterator is released. Cancelling the task ends the iteration.
public struct SessionEvents: AsyncSequence, Sendable {
    public typealias Element = SessionEvent
    public typealias Failure = TinyvexError

    private let pieces: StreamPieces

    init(_ pieces: StreamPieces) { self.pieces = pieces }

    public func makeAsyncIterator() -> Iterator { Iterator(events: StreamEventIterator(pieces)) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: StreamEventIterator<SessionEvent>

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TinyvexError) -> SessionEvent? {
            try await events.next(isolation: actor)
        }

        public mutating func next() async throws(TinyvexError) -> SessionEvent? { try await next(isolation: nil) }
    }
}

extension SessionEvent: StreamEvent {
    init(line: [UInt8], number: Int64) {
        do throws(DecodingFault) {
            self = .update(seq: number, try ModelCoding.update(line))
        } catch {
            self = .unreadable(seq: number, line: line, error)
        }
    }

    init?(_ piece: StreamPiece) {
        switch piece {
        case .lines: return nil
        case .opened(let opening): self = .opened(opening)
        case .skipped(let from, let to, let reason): self = .skipped(from: from, to: to, reason: reason)
        case .restarted(let nextSeq): self = .restarted(nextSeq: nextSeq)
        case .ended(let seq, let end): self = .ended(seq: seq, end)
        case .notice(let code, let message): self = .notice(code: code, message: message)
        }
    }
}
