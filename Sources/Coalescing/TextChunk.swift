import JSONScan

/// The place of the text in a chunk that can be merged, and the place where our `_meta` can be inserted. Nil for all
/// other updates.
///
///     {…"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hel"}}…}
///     {…"update":{"sessionUpdate":"terminal_output_chunk","terminalId":"t1","data":"cnVu"}…}
struct TextChunk: Equatable {
    /// The text between the quotes.
    let text: Range<Int>
    let meta: MetaPlace
    /// The text is Base64Text.
    let isEncoded: Bool

    enum MetaPlace: Equatable {
        /// `_meta` is absent. A member can be inserted here, after the update's opening brace.
        case absent(at: Int)
        /// `_meta` is null or has no members.
        case empty(Range<Int>)
        /// `_meta` has members. Another one can be inserted here, after its opening brace.
        case object(at: Int)
    }

    /// A chunk of a terminal or of a compaction is not merged if it has own metadata, because only the first chunk's
    /// would remain.
    init?(of kind: ChunkKind, in line: Span<UInt8>, updateAt update: Range<Int>) {
        switch kind {
        case .agentMessage, .agentThought, .userMessage: self.init(in: line, updateAt: update)
        case .toolCallContent: return nil
        case .compactionSummary:
            self.init(in: line, updateAt: update)
            guard isPlain(in: line, updateAt: update) else { return nil }
        case .terminalOutput:
            self.init(encodedIn: line, updateAt: update)
            if meta.hasMembers { return nil }
        }
    }

    /// Whether the chunk is only its text. Metadata and annotations of a chunk belong to that chunk alone, so a merged chunk
    /// would lose them or extend them to the text of others.
    func isPlain(in line: Span<UInt8>, updateAt update: Range<Int>) -> Bool {
        guard !meta.hasMembers else { return false }
        if isEncoded { return true }
        guard let content = memberPlace("content", ofObjectAt: update, in: line).range else { return false }
        return memberPlace("annotations", ofObjectAt: content, in: line) == .absent
            && memberPlace("_meta", ofObjectAt: content, in: line) == .absent
    }

    private init?(encodedIn line: Span<UInt8>, updateAt update: Range<Int>) {
        guard let data = memberPlace("data", ofObjectAt: update, in: line).range,
            line[data.lowerBound] == UInt8(ascii: "\""), let meta = MetaPlace(in: line, updateAt: update)
        else { return nil }
        text = data.lowerBound + 1..<data.upperBound - 1
        self.meta = meta
        isEncoded = true
        guard Base64Text.isCanonical(line.extracting(text)) else { return nil }
    }

    private init?(in line: Span<UInt8>, updateAt update: Range<Int>) {
        guard let content = memberPlace("content", ofObjectAt: update, in: line).range,
            let type = memberPlace("type", ofObjectAt: content, in: line).range,
            let text = memberPlace("text", ofObjectAt: content, in: line).range,
            line[text.lowerBound] == UInt8(ascii: "\""), line.extracting(type).isEqual(to: Self.textType),
            let meta = MetaPlace(in: line, updateAt: update)
        else { return nil }
        self.text = text.lowerBound + 1..<text.upperBound - 1
        self.meta = meta
        isEncoded = false
    }

    private static let textType = Array(#""text""#.utf8)

    /// The offset of the first change in the line.
    var metaStart: Int {
        switch meta {
        case .absent(let offset), .object(let offset): offset
        case .empty(let range): range.lowerBound
        }
    }
}

extension TextChunk.MetaPlace {
    fileprivate var hasMembers: Bool { if case .object = self { true } else { false } }

    /// Nil when our member cannot be inserted: `_meta` has another type, or already has a member with our name.
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
