import SessionRecords

/// A stretch of a timeline that is searched as one text: a message with all of its adjacent chunks, because chunks cut
/// words. Pure.
package struct SearchDocument: Sendable, Equatable {
    /// One item of the timeline with its part of the text.
    package struct Piece: Sendable, Equatable {
        /// The item's number on the timeline.
        package let n: Int64
        /// The number of the update, or of the last update before an entry.
        package let seq: Int64
        /// Milliseconds since 1970.
        package let ts: Int64
        /// The number of UTF-8 bytes before the piece.
        package let offset: Int
    }

    package let kind: SearchedText.Kind
    package private(set) var pieces: [Piece]
    package private(set) var text: String

    package var first: Int64 { pieces[0].n }
    package var last: Int64 { pieces[pieces.count - 1].n }
    /// Milliseconds since 1970, of the first piece.
    package var ts: Int64 { pieces[0].ts }

    /// 4 KiB: a long paragraph. A hit must be read again from the log, so a document must be short.
    package static let textLimitBytes = 4 << 10
    /// 128 items: with tiny chunks the lines are far longer than their text.
    package static let pieceLimit = 128
    /// A longer word without white space, such as Base64 text, is cut at the end of a document.
    private static let wordLimitBytes = 256

    /// The text of the pieces up to this item.
    package func text(upTo n: Int64) -> String {
        guard let next = pieces.first(where: { $0.n > n }) else { return text }
        return String(decoding: text.utf8.prefix(next.offset), as: UTF8.self)
    }

    /// Returns the piece that has the byte at this offset.
    package func piece(at offset: Int) -> Piece { pieces.last { $0.offset <= offset } ?? pieces[0] }

    /// The documents of successive items.
    package struct Batch: Sendable, Equatable {
        package var documents: [SearchDocument] = []
        /// The item at which the next batch must begin: the first item of the last document if that document can
        /// continue. Nil for the next item.
        package var reopened: Int64?
    }

    /// Joins the text of the items.
    ///
    /// The result depends only on the items in front of the end: a batch that begins at ``Batch/reopened`` with more
    /// items begins with the same document, or with one that has additional pieces.
    package static func batch(_ items: some Sequence<TimelineItem>) -> Batch {
        var builder = Builder()
        for item in items { builder.add(item) }
        return builder.finish()
    }

    private struct Builder {
        private var batch = Batch()
        private var open: SearchDocument?
        private var continuation: String?
        private var lines = SearchedLines()

        mutating func add(_ item: TimelineItem) {
            guard let found = lines.text(of: item) else {
                // Other updates, such as the usage, can come between two chunks. Entries end a message.
                if case .entry = item { close() }
                return
            }
            if found.continuation == nil || found.continuation != continuation { close() }
            continuation = found.continuation
            append(found, item)
            if continuation == nil { close() }
        }

        private mutating func append(_ found: SearchedText, _ item: TimelineItem) {
            // The document is changed in place: with a second reference, each chunk would copy it.
            var document = open.take() ?? SearchDocument(kind: found.kind, pieces: [], text: "")
            let (seq, ts) = item.place
            document.pieces.append(Piece(n: item.n, seq: seq, ts: ts, offset: document.text.utf8.count))
            document.text += found.text
            if continuation != nil, document.isFull { split(document) } else { open = document }
        }

        /// Closes a full document. The next one begins with the pieces of the word that the end would cut.
        private mutating func split(_ document: SearchDocument) {
            batch.documents.append(document)
            open = document.unfinishedWord()
        }

        private mutating func close() {
            if let open, open.pieces.last?.n != batch.documents.last?.last { batch.documents.append(open) }
            open = nil
            continuation = nil
        }

        consuming func finish() -> Batch {
            let reopened = open?.first
            close()
            batch.reopened = reopened
            return batch
        }
    }

    private var isFull: Bool { text.utf8.count >= Self.textLimitBytes || pieces.count >= Self.pieceLimit }

    /// The last pieces, from the one in which the last word begins. Nil if the text ends with a whole word, if the word
    /// is too long, or if it begins in the first piece.
    private func unfinishedWord() -> SearchDocument? {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
        let word = text.utf8.reversed().prefix(Self.wordLimitBytes).prefix { !isSpace($0) }.count
        guard word > 0, word < Self.wordLimitBytes else { return nil }
        let start = piece(at: text.utf8.count - word)
        // Half of the pieces at most, so that each document adds enough.
        guard let index = pieces.firstIndex(of: start), index >= pieces.count / 2, index > 0 else { return nil }
        let rest = String(decoding: text.utf8.dropFirst(start.offset), as: UTF8.self)
        let moved = pieces[index...].map {
            Piece(n: $0.n, seq: $0.seq, ts: $0.ts, offset: $0.offset - start.offset)
        }
        return SearchDocument(kind: kind, pieces: moved, text: rest)
    }
}

extension TimelineItem {
    /// The number of the update, or of the last update before the entry, and the time.
    fileprivate var place: (seq: Int64, ts: Int64) {
        switch self {
        case .update(_, let seq, let ts, _), .entry(_, let seq, let ts, _, _): (seq, ts)
        }
    }
}
