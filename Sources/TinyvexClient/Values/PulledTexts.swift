/// The texts of a subscription for a stream of the standard library, which can be read from any task. A text is
/// only taken from the subscription on request, so that texts do not accumulate. The subscription ends when the
/// stream is released. A stream requests one text at a time.
actor PulledTexts {
    private var iterator: ValueTexts.Iterator

    init(_ texts: ValueTexts) { iterator = texts.makeAsyncIterator() }

    func next() async throws(TinyvexError) -> ArraySlice<UInt8>? {
        var iterator = iterator
        defer { self.iterator = iterator }
        return try await iterator.next(isolation: self)
    }
}
