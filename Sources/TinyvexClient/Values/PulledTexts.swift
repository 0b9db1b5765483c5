import TinyvexSync

/// The texts of a subscription for a stream of the standard library, which may be read from anywhere: each is taken when it
/// is asked for, so that nothing piles up. The subscription goes with the stream. A stream asks for one at a time.
actor PulledTexts {
    private var iterator: ValueTexts.Iterator

    init(_ texts: ValueTexts) { iterator = texts.makeAsyncIterator() }

    func next() async throws(TinyvexError) -> ArraySlice<UInt8>? {
        var iterator = iterator
        defer { self.iterator = iterator }
        return try await iterator.next(isolation: self)
    }
}
