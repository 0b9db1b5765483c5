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
    private var pieces: StreamPieces.Iterator
    private var run: LineRun?
    private var index = 0

    init(_ pieces: StreamPieces) { self.pieces = pieces.makeAsyncIterator() }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> Event? {
        while true {
            if let run, index < run.count {
                defer { index += 1 }
                return Event(line: Array(run[index]), number: run.firstSeq + Int64(index))
            }
            guard let piece = try await pieces.next(isolation: actor) else { return nil }
            if case .lines(let run) = piece {
                (self.run, index) = (run, 0)
            } else if let event = Event(piece) {
                return event
            }
        }
    }
}
