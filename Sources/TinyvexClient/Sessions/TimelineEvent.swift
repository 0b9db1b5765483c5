import TinyvexMachine
import TinyvexSync

/// An event of a session's timeline. Events arrive in order.
public enum TimelineEvent: Sendable {
    /// The bridge has opened the subscription: the first time, and again after each lost connection. Store its `journal`
    /// together with the number of the last entry that was applied. The timeline must catch up to `headSeq`.
    case opened(StreamOpening)
    /// An entry, with its number in the timeline. The numbers count updates and other entries together, so an entry's own
    /// `seq` is another number.
    case entry(number: Int64, TimelineEntry)
    /// An entry in a form that this version of the library does not know. The text is unchanged.
    case unreadable(number: Int64, text: [UInt8], DecodingFault)
    /// The stream does not carry these numbers. Their entries are in the log, unless `reason` states otherwise.
    case skipped(from: Int64, to: Int64, reason: String)
    /// The bridge's log is not the one that the numbers refer to. Discard everything from `nextNumber` on; the stream
    /// continues there.
    case restarted(nextNumber: Int64)
    /// Information about the stream, which continues.
    case notice(code: String, message: String)
}

extension TimelineEvent: StreamEvent {
    init(line: [UInt8], number: Int64) {
        do throws(TinyvexError) {
            self = .entry(number: number, try ModelCoding.value(TimelineEntry.self, from: line[...]))
        } catch {
            let fault =
                if case .decoding(let fault) = error { fault } else { DecodingFault(path: "", description: "\(error)") }
            self = .unreadable(number: number, text: line, fault)
        }
    }

    init?(_ piece: StreamPiece) {
        switch piece {
        // The end is an entry of the timeline.
        case .lines, .ended: return nil
        case .opened(let opening): self = .opened(opening)
        case .skipped(let from, let to, let reason): self = .skipped(from: from, to: to, reason: reason)
        case .restarted(let nextSeq): self = .restarted(nextNumber: nextSeq)
        case .notice(let code, let message): self = .notice(code: code, message: message)
        }
    }
}

/// A session's timeline with all its events, for a program that continues where an earlier run of it stopped.
///
/// Each number arrives exactly once and in order, across any number of connections. Only the numbers that the bridge reports
/// as skipped are missing. The subscription begins when the sequence is created. Each iteration is a separate subscription,
/// which ends when its iterator is released. Cancelling the task ends the iteration.
public struct TimelineEvents: AsyncSequence, Sendable {
    public typealias Element = TimelineEvent
    public typealias Failure = TinyvexError

    private let pieces: StreamPieces

    init(_ pieces: StreamPieces) { self.pieces = pieces }

    public func makeAsyncIterator() -> Iterator { Iterator(events: StreamEventIterator(pieces)) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: StreamEventIterator<TimelineEvent>

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TinyvexError) -> TimelineEvent? {
            try await events.next(isolation: actor)
        }

        public mutating func next() async throws(TinyvexError) -> TimelineEvent? { try await next(isolation: nil) }
    }
}
