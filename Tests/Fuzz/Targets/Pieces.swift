/// The same bytes as a socket might give them.
enum Pieces {
    /// Cuts whose sizes are the bytes' own choice, so that a finding can be found again.
    static func of(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let first = rest.first {
            let piece = rest.prefix(1 + Int(first % 7))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
