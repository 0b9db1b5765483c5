/// Scans the lines of one stream, and remembers the last one.
///
/// Most lines of an agent differ from the one before only in one string: the text of a message. The bytes around that
/// string have the same meaning in each such line, so they are compared with those of the line before, and only the
/// string is scanned. The result, also an error, is that of `scanEnvelope(_:)`.
package struct EnvelopeScanner: Sendable {
    /// A line up to a string's opening quote, and from its closing quote on.
    fileprivate struct Template: Sendable {
        let prefix: [UInt8]
        let suffix: [UInt8]
        /// Of the line from which the template was made. `quotes` is the range of the string with its quotes there.
        let envelope: Envelope
        let quotes: Range<Int>
    }

    /// Longer lines are not remembered: for them the string is most of the work. It bounds the memory.
    static let rememberedBytes = 4096
    /// After a template that no line has matched, more and more lines pass before another one is made, so that lines
    /// without a pattern cost little.
    private static let longestPause = 64

    private var template: Template?
    /// The line with which the next one is compared to find the string; empty if there is none.
    private var remembered: [UInt8] = []
    private var pause = 1
    private var linesToPause = 0

    package init() {}

    /// Whether the next line can be compared with a template. For tests.
    var hasTemplate: Bool { template != nil }

    /// See `scanEnvelope(_:)`.
    package mutating func scan(_ text: Span<UInt8>) throws(JSONSyntaxError) -> Envelope {
        if let envelope = template?.envelope(of: text) {
            pause = 1
            return envelope
        }
        let envelope = try scanEnvelope(text)
        if linesToPause > 0 { linesToPause -= 1 } else { learn(text, envelope) }
        return envelope
    }

    /// Remembers the line, or makes a template of it and the line remembered before.
    private mutating func learn(_ text: Span<UInt8>, _ envelope: Envelope) {
        guard text.count <= Self.rememberedBytes, envelope.shape == .object, !envelope.isAmbiguous else { return }
        guard !remembered.isEmpty else {
            remembered = text.withUnsafeBufferPointer { Array($0) }
            return
        }
        template = Template(text, envelope, remembered)
        remembered = []
        linesToPause = pause
        pause = min(2 * pause, Self.longestPause)
    }
}

extension EnvelopeScanner.Template {
    /// Returns nil unless the first difference of the two lines is in a string that the envelope does not refer to. For
    /// equal lines, the last such string is taken.
    fileprivate init?(_ text: Span<UInt8>, _ envelope: Envelope, _ other: [UInt8]) {
        var difference = 0
        while difference < min(text.count, other.count), text[difference] == other[difference] { difference += 1 }
        guard let quotes = Self.string(around: difference, in: text, envelope) else { return nil }
        prefix = text.extracting(...quotes.lowerBound).withUnsafeBufferPointer { Array($0) }
        suffix = text.extracting((quotes.upperBound - 1)...).withUnsafeBufferPointer { Array($0) }
        self.envelope = envelope
        self.quotes = quotes
    }

    /// The string, with its quotes, in which the byte at `offset` is, if it is the value of a member. At the end of the
    /// text, the last such string. The text must be valid: then a quote outside of strings begins one.
    private static func string(around offset: Int, in text: Span<UInt8>, _ envelope: Envelope) -> Range<Int>? {
        var cursor = Cursor()
        var last: Range<Int>?
        while cursor.offset < offset {
            guard text[cursor.offset] == .quote else {
                cursor.offset += 1
                continue
            }
            let start = cursor.offset
            guard (try? cursor.skipString(text)) != nil else { return nil }
            let isFree = start > 0 && text[start - 1] == .colon && !envelope.hasMember(at: start)
            if cursor.offset > offset { return isFree ? start..<cursor.offset : nil }
            if isFree { last = start..<cursor.offset }
        }
        return offset == text.count ? last : nil
    }

    /// Returns nil if the line is another one, or not valid.
    @inline(__always)
    fileprivate func envelope(of text: Span<UInt8>) -> Envelope? {
        let end = text.count - suffix.count
        guard end >= prefix.count, text.extracting(..<prefix.count).isEqual(to: prefix),
            text.extracting(end...).isEqual(to: suffix)
        else { return nil }
        var cursor = Cursor(offset: quotes.lowerBound)
        // The string must end where the rest begins: a quote in it could end it sooner.
        guard (try? cursor.skipString(text)) != nil, cursor.offset == end + 1 else { return nil }
        return envelope.shifted(after: quotes.lowerBound, by: cursor.offset - quotes.upperBound)
    }
}
