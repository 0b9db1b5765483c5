import Hashing

/// `sessions:export`: `{"sessionId":"s1","format":"asciicast","cursor":"417…"}`.
public struct ExportRequest: Sendable, Equatable {
    public enum Format: String, Sendable, CaseIterable {
        /// The timeline, with one ``EnvelopeLine`` per entry.
        case ndjson
        /// A recording for `asciinema play`. Source: asciicast v2, https://docs.asciinema.org/manual/asciicast/v2/
        case asciicast
    }

    public let session: SessionReference
    public let format: Format
    /// The position at which the previous page ended.
    public let cursor: ExportCursor

    public init(_ params: Parameters) throws(Rejection) {
        session = try SessionReference(params)
        let name = try params.optionalString("format") ?? Format.ndjson.rawValue
        guard let format = Format(rawValue: name) else {
            throw .invalidParams("format must be \"ndjson\" or \"asciicast\"")
        }
        self.format = format
        guard let text = try params.optionalString("cursor") else {
            cursor = ExportCursor()
            return
        }
        guard let cursor = ExportCursor(text: text) else {
            throw .invalidParams("cursor must be the value that an export page returned")
        }
        self.cursor = cursor
    }
}

/// The position at which a page of an export ends, and the state that the next page needs:
/// `417.29.1763697600000.12.2.0.0`. The text is opaque to clients.
public struct ExportCursor: Sendable, Equatable {
    /// The kind of text on the unfinished line.
    public enum Line: Int64, Sendable {
        case none, message, thought, user, output
    }

    /// The timeline number up to which all entries are exported.
    public var after: Int64 = 0
    /// The number of the last exported update.
    public var lastSeq: Int64 = 0
    /// The time at which the first entry was stored, in milliseconds since 1970. Nil before the first entry.
    public var startTs: Int64?
    /// The time from the first to the last entry, in milliseconds. It never decreases, because the time of a
    /// recording must not go back.
    public var elapsed: Int64 = 0
    public var line = Line.none
    /// ``message(id:)`` of the message on the unfinished line.
    package var message: Int64 = 0
    /// A number for the changes of files that were shown last, so that they are not shown again; 0 for none.
    package var change: Int64 = 0

    public init() {}

    public var text: String { "\(after).\(lastSeq).\(startTs ?? 0).\(elapsed).\(line.rawValue).\(message).\(change)" }

    init?(text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        // Version 0.1 had five. The others can be missing.
        guard (5...7).contains(numbers.count), numbers.allSatisfy({ $0 >= 0 }), let line = Line(rawValue: numbers[4])
        else { return nil }
        (after, lastSeq, startTs, elapsed) = (numbers[0], numbers[1], numbers[2], numbers[3])
        self.line = line
        if numbers.count > 5 { message = numbers[5] }
        if numbers.count > 6 { change = numbers[6] }
    }

    /// A number for a message's id, 0 for none: FNV-1a over its UTF-8, 63 bits.
    package static func message(id: String?) -> Int64 {
        guard let id else { return 0 }
        return Int64(FNV1a.hash(of: id.utf8) >> 1)
    }
}
