import JSONScan

/// Where in a chunk of text its text stands, and where a `_meta` of ours can go. Nil for every other update.
///
///     {…"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hel"}}…}
struct TextChunk: Equatable {
    /// Between the quotes.
    let text: Range<Int>
    let meta: MetaPlace

    enum MetaPlace: Equatable {
        /// There is none: a member goes here, right behind the update's opening brace.
        case absent(at: Int)
        /// There is one without members, or null in its place.
        case empty(Range<Int>)
        /// There is one: a member goes here, right behind its opening brace.
        case object(at: Int)
    }

    init?(in line: Span<UInt8>, updateAt update: Range<Int>) {
        guard let content = memberPlace("content", ofObjectAt: update, in: line).range,
            let type = memberPlace("type", ofObjectAt: content, in: line).range,
            let text = memberPlace("text", ofObjectAt: content, in: line).range,
            line[text.lowerBound] == UInt8(ascii: "\""), line.extracting(type).isEqual(to: Self.textType),
            let meta = MetaPlace(in: line, updateAt: update)
        else { return nil }
        self.text = text.lowerBound + 1..<text.upperBound - 1
        self.meta = meta
    }

    private static let textType = Array(#""text""#.utf8)

    /// Where the change is made that stands first in the line.
    var metaStart: Int {
        switch meta {
        case .absent(let offset), .object(let offset): offset
        case .empty(let range): range.lowerBound
        }
    }
}

extension TextChunk.MetaPlace {
    /// Nil where ours cannot go: a `_meta` that is something else, or has a member of our name.
    fileprivate init?(in line: Span<UInt8>, updateAt update: Range<Int>) {
        switch memberPlace("_meta", ofObjectAt: update, in: line) {
        case .absent: self = .absent(at: update.lowerBound + 1)
        case .repeated: return nil
        case .at(let range):
            guard let place = Self.place(in: line, metaAt: range) else { return nil }
            self = place
        }
    }

    private static func place(in line: Span<UInt8>, metaAt range: Range<Int>) -> Self? {
        switch line[range.lowerBound] {
        case UInt8(ascii: "n"): return .empty(range)
        case UInt8(ascii: "{"):
            guard memberPlace("tinyvex", ofObjectAt: range, in: line) == .absent else { return nil }
            return hasMembers(line, range) ? .object(at: range.lowerBound + 1) : .empty(range)
        default: return nil
        }
    }

    private static func hasMembers(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
        (range.lowerBound + 1..<range.upperBound - 1).contains { line[$0] > UInt8(ascii: " ") }
    }
}
