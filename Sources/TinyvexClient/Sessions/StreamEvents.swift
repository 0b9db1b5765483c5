import TinyvexMachine
import TinyvexSync

/// An event of an ordered stream: one of its lines, or a change of the stream itself.
protocol StreamEvent: Sendable {
    init(line: [UInt8], number: Int64)
    /// Returns nil for lines, because each line is a separate event.
    init?(_ piece: StreamPiece)
}

/// The events of an ordered stream, one at a time.
struct StreamEventIterator<Event: StreamEvent> {
    private var lines: StreamLines

    init(_ pieces: StreamPieces) { lines = StreamLines(pieces) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> Event? {
        while let item = try await lines.next(isolation: actor) {
            switch item {
            case .line(let seq, let text): return Event(line: Array(text), number: seq)
            case .other(let piece): if let event = Event(piece) { return event }
            }
        }
        return nil
    }
}
