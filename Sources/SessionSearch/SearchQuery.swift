import Hashing
import Posix
import Tinyvex

/// A person's query, as the index understands it. Pure.
///
/// Each word must occur. Words in quotes must follow each other, and so must words that only punctuation separates, as
/// in `src/main.c`. A word that ends in `*` is the beginning of a word. The text itself is never a part of an SQL
/// statement or of FTS5's query language: only its words are, each quoted, and they have letters and digits only.
package struct SearchQuery: Sendable, Equatable {
    /// Words that must follow each other.
    struct Phrase: Sendable, Equatable {
        let words: [String]
        /// The last word is only the beginning of a word.
        let isPrefix: Bool
    }

    let phrases: [Phrase]
    /// Only this session's incarnation, by its place in the log.
    package var sid: Int64?
    /// Only sessions of this agent.
    package var agent: String?
    /// Only sessions of this tenant.
    package var tenant: String?

    /// 256 bytes: a sentence.
    package static let limitBytes = 256
    /// More words find nothing that fewer would not find, and each one costs time.
    package static let wordLimit = 16
    /// With fewer characters, the beginning of a word fits too many words.
    package static let prefixLimit = 2

    package init(_ text: String) throws(Rejection) {
        guard text.utf8.count <= Self.limitBytes else {
            throw .invalidParams("query is longer than \(Self.limitBytes) bytes")
        }
        phrases = Self.clauses(text).compactMap(Self.phrase)
        guard !phrases.isEmpty else { throw .invalidParams("query has no letters or digits") }
        guard phrases.reduce(0, { $0 + $1.words.count }) <= Self.wordLimit else {
            throw .invalidParams("query has more than \(Self.wordLimit) words")
        }
        if let short = phrases.first(where: { $0.isPrefix && ($0.words.last?.count ?? 0) < Self.prefixLimit }) {
            throw .invalidParams("\"\(short.words.last ?? "")*\" is too short: write at least 2 characters before *")
        }
    }

    /// The parts between spaces, or between quotes. A quote without a second one ends with the text.
    private static func clauses(_ text: String) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(whereSeparator: \.isWhitespace).map(String.init) : [String(part)]
        }
    }

    private static func phrase(_ clause: String) -> Phrase? {
        let words = SearchTokens.words(clause)
        return words.isEmpty ? nil : Phrase(words: words, isPrefix: clause.hasSuffix("*"))
    }

    // MARK: FTS5

    /// The expression for the index, which has no positions: the words in any order, and the filters.
    var candidates: String {
        let words = phrases.flatMap { phrase in
            phrase.words.enumerated().map { index, word in
                Self.quoted(word) + (phrase.isPrefix && index == phrase.words.count - 1 ? " *" : "")
            }
        }
        let filters = SearchFilter(sid: sid, agent: agent, tenant: tenant).words.map(Self.quoted)
        return (filters + words).joined(separator: " AND ")
    }

    /// The expression for a text that is known.
    var matches: String {
        phrases.map { Self.quoted($0.words.joined(separator: " ")) + ($0.isPrefix ? " *" : "") }
            .joined(separator: " AND ")
    }

    /// A string of FTS5. Words have no quotes, so nothing must be doubled.
    private static func quoted(_ words: String) -> String { "\"\(words)\"" }
}

/// The words by which the index finds the documents of a session, an agent or a tenant. Pure.
struct SearchFilter {
    let sid: Int64?
    let agent: String?
    let tenant: String?

    var words: [String] {
        var words: [String] = []
        if let sid { words.append("\(SearchTokens.filterMark)s\(sid)") }
        if let agent { words.append("\(SearchTokens.filterMark)a\(Self.name(agent))") }
        if let tenant { words.append("\(SearchTokens.filterMark)t\(Self.name(tenant))") }
        return words
    }

    /// A name can have any characters, and a word cannot. Names with equal hashes are compared when a hit is read.
    private static func name(_ name: String) -> String {
        String(FNV1a.hash(of: name.utf8), radix: 16)
    }
}
