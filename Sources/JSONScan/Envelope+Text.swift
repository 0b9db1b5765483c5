extension Envelope {
    /// True when this line is one that observers are sent: a single object, not ambiguous, whose method means
    /// `session/update` and whose `params.sessionId` is a string. Its kind may be one that nobody knows.
    ///
    /// `text` is the text that was scanned.
    public func isSessionUpdate(in text: Span<UInt8>) -> Bool {
        guard shape == .object, !isAmbiguous, let method, let sessionId else { return false }
        return text[sessionId.lowerBound] == .quote && isString(in: text, at: method, "session/update")
    }

    /// As `isSessionUpdate(in:)` over a `Span`, for bytes that still lie in a read buffer.
    public func isSessionUpdate(in text: UnsafeRawBufferPointer) -> Bool {
        isSessionUpdate(in: text.assumingMemoryBound(to: UInt8.self).span)
    }

    /// The decoded string at one of this envelope's ranges; `nil` when there is no range, or no string stands there.
    ///
    ///     envelope.string(in: text, at: envelope.sessionId)
    ///
    /// Lone surrogates become U+FFFD. `text` is the text that was scanned.
    public func string(in text: Span<UInt8>, at range: Range<Int>?) -> String? {
        guard let range, text[range.lowerBound] == .quote else { return nil }
        return StringContents(ofStringAt: range).decodedString(text)
    }

    /// As `string(in:at:)` over a `Span`, for bytes that still lie in a read buffer.
    public func string(in text: UnsafeRawBufferPointer, at range: Range<Int>?) -> String? {
        string(in: text.assumingMemoryBound(to: UInt8.self).span, at: range)
    }

    /// True when the value at `range` is a string that means `wanted`, which has at most 15 bytes.
    private func isString(in text: Span<UInt8>, at range: Range<Int>, _ wanted: StaticString) -> Bool {
        guard text[range.lowerBound] == .quote else { return false }
        let (start, end) = (range.lowerBound + 1, range.upperBound - 1)
        let wanted = PackedName(wanted)
        return PackedName.copying(from: start, to: end, in: text) == wanted
            || PackedName.decoding(start..<end, in: text) == wanted
    }
}
