/// The text of a message or the output of a terminal that was shown so far: its length and hash, not the text itself.
struct ShownText: Sendable {
    private var byteCount = 0
    /// FNV-1a.
    private var hash = Self.emptyHash
    private static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Records text that is shown after the earlier text.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            hash = Self.next(hash, byte)
            byteCount += 1
        }
    }

    /// Records that the whole text is now this one.
    ///
    /// - Returns: The rest of the text if it begins with the text that was shown, and nil if it differs from it.
    mutating func replace(with bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let shown = self
        self = ShownText()
        append(bytes)
        guard bytes.count >= shown.byteCount else { return nil }
        let start = bytes.prefix(shown.byteCount).reduce(Self.emptyHash, Self.next)
        return start == shown.hash ? bytes.dropFirst(shown.byteCount) : nil
    }

    private static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
