extension Envelope {
    /// True when observers receive this line: a single, unambiguous object with a method that decodes to
    /// `session/update` and a string in `params.sessionId`. The kind of update can be unknown.
    ///
    /// `text` must be the text that was scanned.
    public func isSessionUpdate(in text: Span<UInt8>) -> Bool {
        guard shape == .object, !isAmbiguous, let method, let sessionId else { return false }
        return text[sessionId.lowerBound] == .quote && isString(in: text, at: method, "session/update")
    }

    /// Same as `isSessionUpdate(in:)` over a `Span`, for bytes that are still in a read buffer.
    public func isSessionUpdate(in text: UnsafeRawBufferPointer) -> Bool {
        isSessionUpdate(in: text.assumingMemoryBound(to: UInt8.self).span)
    }

    /// The decoded string at one of this envelope's ranges, or `nil` when there is no range or the value is not a
    /// string.
    ///
    ///     envelope.string(in: text, at: envelope.sessionId)
    ///
    /// Lone surrogates become U+FFFD. `text` must be the text that was scanned.
    public func string(in text: Span<UInt8>, at range: Range<Int>?) -> String? {
        guard let range, text[range.lowerBound] == .quote else { return nil }
        return StringContents(ofStringAt: range).decodedString(text)
    }

    /// Same as `string(in:at:)`, but `nil` for a string with a lone surrogate: such a string would be equal to others after
    /// decoding.
    public func exactString(in text: Span<UInt8>, at range: Range<Int>?) -> String? {
        guard let range, text[range.lowerBound] == .quote else { return nil }
        return StringContents(ofStringAt: range).exactString(text)
    }

    /// Same as `string(in:at:)` over a `Span`, for bytes that are still in a read buffer.
    public func string(in text: UnsafeRawBufferPointer, at range: Range<Int>?) -> String? {
        string(in: text.assumingMemoryBound(to: UInt8.self).span, at: range)
    }

    /// True when the value at `range` is a string that decodes to `wanted`. `wanted` has at most 15 bytes.
    private func isString(in text: Span<UInt8>, at range: Range<Int>, _ wanted: StaticString) -> Bool {
        guard text[range.lowerBound] == .quote else { return false }
        let (start, end) = (range.lowerBound + 1, range.upperBound - 1)
        let wanted = PackedName(wanted)
        return PackedName.copying(from: start, to: end, in: text) == wanted
            || PackedName.decoding(start..<end, in: text) == wanted
    }
}
