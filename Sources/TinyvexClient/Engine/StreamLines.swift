import TinyvexMachine
import TinyvexSync

/// The lines of an ordered stream, one at a time, and the pieces between them.
struct StreamLines {
    enum Item {
        case line(seq: Int64, text: ArraySlice<UInt8>)
        /// A piece without lines.
        case other(StreamPiece)
    }

    private var pieces: StreamPieces.Iterator
    private var run: LineRun?
    private var index = 0

    init(_ pieces: StreamPieces) { self.pieces = pieces.makeAsyncIterator() }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> Item? {
        while true {
            if let run, index < run.count {
                defer { index += 1 }
                return .line(seq: run.firstSeq + Int64(index), text: run[index])
            }
            guard let piece = try await pieces.next(isolation: actor) else { return nil }
            guard case .lines(let run) = piece else { return .other(piece) }
            (self.run, index) = (run, 0)
        }
    }

    /// The next line. The pieces before it are dropped.
    mutating func nextLine(isolation actor: isolated (any Actor)?) async throws(TinyvexError) -> ArraySlice<UInt8>? {
        while let item = try await next(isolation: actor) {
            if case .line(_, let text) = item { return text }
        }
        return nil
    }
}
