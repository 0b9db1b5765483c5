/// An index of the beginnings of a speaker's stored messages. A long history can have 100,000 messages, and each text of its
/// repetition can begin any of them. Pure.
struct MessageStarts {
    private struct Entry {
        let hash: Int
        /// The offset at which the message begins.
        let start: Int
    }

    /// The entries for each length of a beginning, by their hashes and then by their places.
    private var entries: [Int: [Entry]] = [:]

    /// Beginnings of 1, 2, 4 and so on bytes are indexed, up to 32. Texts that are the same so far are compared.
    private static let longestBeginning = 32
    /// 256 messages with the same beginning are compared, so that the time for a text is bounded. If an agent leaves out more
    /// of them, the message counts as a new one.
    private static let comparisonLimit = 256

    /// Returns the offset of the first message after this offset that begins with the text.
    ///
    /// - Parameter text: one byte or more.
    mutating func first(after offset: Int, _ text: [UInt8], in texts: StoredHistory.Texts) -> Int? {
        let length = min(Self.longestBeginning, 1 << (Int.bitWidth - 1 - text.count.leadingZeroBitCount))
        let entries = entries(ofLength: length, texts)
        let hash = Self.hash(text[..<length])
        let low = entries.partitioningIndex { ($0.hash, $0.start) > (hash, offset) }
        return entries[low...].prefix(Self.comparisonLimit).prefix { $0.hash == hash }
            .first { texts.holds(text, at: $0.start) }?.start
    }

    private mutating func entries(ofLength length: Int, _ texts: StoredHistory.Texts) -> [Entry] {
        if let known = entries[length] { return known }
        let made = texts.starts.filter { texts.bytes.count - $0 >= length }
            .map { Entry(hash: Self.hash(texts.bytes[$0..<$0 + length]), start: $0) }
            .sorted { ($0.hash, $0.start) < ($1.hash, $1.start) }
        entries[length] = made
        return made
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
