import TinyvexMachine

/// All pieces, in order.
package struct PieceQueue: MailboxContents {
    let limitBytes: Int
    private var pieces: [StreamPiece] = []
    private var byteCount = 0

    /// An estimate of a piece's size without its lines.
    private static let overheadBytes = 64

    package init(limitBytes: Int) { self.limitBytes = limitBytes }

    package var isEmpty: Bool { pieces.isEmpty }
    package var isFull: Bool { byteCount > limitBytes }

    package mutating func add(_ piece: StreamPiece) {
        pieces.append(piece)
        byteCount += Self.overheadBytes
        if case .lines(let run) = piece { byteCount += run.byteCount }
    }

    package mutating func drain() -> [StreamPiece] {
        defer {
            pieces = []
            byteCount = 0
        }
        return pieces
    }
}
