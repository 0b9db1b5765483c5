import Hashing

/// The text of a message or the output of a terminal that was shown so far: its length and hash, not the text itself.
struct ShownText: Sendable {
    private var byteCount = 0
    private var hash = FNV1a()

    /// Records text that is shown after the earlier text.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            hash.add(byte)
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
        let start = FNV1a.hash(of: bytes.prefix(shown.byteCount))
        return start == shown.hash.value ? bytes.dropFirst(shown.byteCount) : nil
    }
}
