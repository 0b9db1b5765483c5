/// The same bytes in pieces, like reads from a socket.
enum Pieces {
    /// The bytes themselves determine the cuts, so that a finding can be reproduced.
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
