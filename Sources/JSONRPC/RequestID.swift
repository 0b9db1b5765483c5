import JSONScan

/// The `id` of a JSON-RPC 2.0 request. It keeps its spelling, so that the response carries exactly the same bytes.
///
/// Ids of different types are never equal: `"1"` is not `1`. Numbers are compared by their text, so `1`, `1.0` and
/// `1e0` are three ids, because a peer that uses several spellings may distinguish them.
public enum RequestID: Hashable, Sendable {
    case string(StringID)
    /// The number's text, unchanged.
    case number(raw: String)
    /// Allowed in a request, though discouraged. In an error response, it replaces the id of a request that could not
    /// be read.
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

    /// The id at one of an envelope's ranges. `text` must be the text that was scanned.
    public init?(in text: Span<UInt8>, at range: Range<Int>) {
        guard let value = try? JSONValue(validating: text.extracting(range)) else { return nil }
        self.init(value)
    }

    /// Creates a string id.
    public init(_ string: String) {
        self = .string(StringID(string))
    }

    /// Creates a number id.
    public init(_ number: Int) {
        self = .number(raw: String(number))
    }

    /// The size of ``rawText``.
    public var byteCount: Int {
        switch self {
        case .string(let id): id.rawText.count
        case .number(let raw): raw.utf8.count
        case .null: 4
        }
    }

    /// The id as JSON text, unchanged.
    public var rawText: [UInt8] {
        switch self {
        case .string(let id): id.rawText
        case .number(let raw): Array(raw.utf8)
        case .null: Array("null".utf8)
        }
    }
}

/// A string id. It keeps its spelling and equals every other spelling of the same string (`"a"`, `"\u0061"`).
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

    /// The decoded string. Lone surrogates become replacement characters.
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
