import JSONScan

/// The `id` of a JSON-RPC 2.0 request, kept as it was written, so that the answer carries the very same bytes.
///
/// Ids of different types never equal each other: `"1"` is not `1`. Numbers compare by their text, so `1`, `1.0` and
/// `1e0` are three ids: a peer that spells them apart may tell them apart.
public enum RequestID: Hashable, Sendable {
    case string(StringID)
    /// The number's own text.
    case number(raw: String)
    /// Allowed in a request, though advised against; in an error response, the id of a request that could not be read.
    case null

    /// `nil` for an object, an array or a boolean, which JSON-RPC 2.0 section 4 does not allow.
    public init?(_ value: JSONValue) {
        switch value.kind {
        case .string: self = .string(StringID(raw: Array(value.rawText), decoded: value.stringBytes ?? []))
        case .number: self = .number(raw: value.rawString)
        case .null: self = .null
        case .object, .array, .boolean: return nil
        }
    }

    /// The id at one of an envelope's ranges; `text` is the text that was scanned.
    public init?(in text: Span<UInt8>, at range: Range<Int>) {
        guard let value = try? JSONValue(validating: text.extracting(range)) else { return nil }
        self.init(value)
    }

    /// An id of our own making.
    public init(_ string: String) {
        self = .string(StringID(string))
    }

    /// An id of our own making.
    public init(_ number: Int) {
        self = .number(raw: String(number))
    }

    /// Of ``rawText``.
    public var byteCount: Int {
        switch self {
        case .string(let id): id.rawText.count
        case .number(let raw): raw.utf8.count
        case .null: 4
        }
    }

    /// The id as JSON text, as it was read.
    public var rawText: [UInt8] {
        switch self {
        case .string(let id): id.rawText
        case .number(let raw): Array(raw.utf8)
        case .null: Array("null".utf8)
        }
    }
}

/// A string id. Equal to every spelling of the same string (`"a"`, `"\u0061"`), but it remembers its own.
public struct StringID: Hashable, Sendable {
    /// The JSON text, with quotes and escapes.
    public let rawText: [UInt8]

    private let decoded: [UInt8]

    init(raw: [UInt8], decoded: [UInt8]) {
        rawText = raw
        self.decoded = decoded
    }

    public init(_ string: String) {
        rawText = JSONWriter.scalar(string)
        decoded = Array(string.utf8)
    }

    /// The decoded string; lone surrogates show as replacement characters.
    public var string: String { String(decoding: decoded, as: UTF8.self) }

    public static func == (left: StringID, right: StringID) -> Bool {
        left.decoded == right.decoded
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(decoded)
    }
}

extension RequestID: JSONScalar {
    public func append(to text: inout [UInt8]) {
        text.append(contentsOf: rawText)
    }
}
