import ACP
import TinyvexSync

/// What a session's stream brings, in order.
public enum SessionEvent: Sendable {
    /// The bridge has taken the subscription up: at first, and again after each lost connection. `headSeq` says how much
    /// there is to catch up with, `journal` is to be kept beside the number of the last update that was applied.
    case opened(StreamOpening)
    /// What the agent sent, with its number in the session.
    case update(seq: Int64, ACP.Client.SessionNotificationWire)
    /// What the agent sent does not fit what ACP says of its kind. The line is as it was written.
    case unreadable(seq: Int64, line: [UInt8], DecodingFault)
    /// These numbers do not come on this stream; they lie in the log, unless `reason` says otherwise.
    case skipped(from: Int64, to: Int64, reason: String)
    /// The log is not the one that the numbers were counted in: drop everything from `nextSeq` on. It goes on there.
    case restarted(nextSeq: Int64)
    /// Everything has come, and the session has ended. It goes on should an agent take it up again.
    case ended(seq: Int64, StreamEnd)
    /// Something about the stream that is worth knowing; it goes on.
    case notice(code: String, message: String)
}

/// A session's stream with all that happens to it.
///
/// Every number comes once, in order, over any number of connections; nothing is left out but what the bridge names as
/// skipped. Subscribed from the moment it is made. Each iteration is a subscription of its own, which ends when its iterator
/// goes. Cancelling the task ends the iteration.
public struct SessionEvents: AsyncSequence, Sendable {
    public typealias Element = SessionEvent
    public typealias Failure = TinyvexError

    private let pieces: StreamPieces

    init(_ pieces: StreamPieces) { self.pieces = pieces }

    public func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        var pieces: StreamPieces.Iterator
        private var run: LineRun?
        private var index = 0

        init(pieces: StreamPieces.Iterator) { self.pieces = pieces }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TinyvexError) -> SessionEvent? {
            while true {
                if let run, index < run.count {
                    defer { index += 1 }
                    return Self.event(run, index)
                }
                guard let piece = try await pieces.next(isolation: actor) else { return nil }
                if case .lines(let run) = piece {
                    (self.run, index) = (run, 0)
                } else if let event = SessionEvent(piece) {
                    return event
                }
            }
        }

        public mutating func next() async throws(TinyvexError) -> SessionEvent? { try await next(isolation: nil) }

        private static func event(_ run: LineRun, _ index: Int) -> SessionEvent {
            let seq = run.firstSeq + Int64(index)
            let line = Array(run[index])
            do throws(DecodingFault) {
                return .update(seq: seq, try ModelCoding.update(line))
            } catch {
                return .unreadable(seq: seq, line: line, error)
            }
        }
    }
}

extension SessionEvent {
    /// Nil for lines, which are events one by one.
    fileprivate init?(_ piece: StreamPiece) {
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
