import JSONScan

/// The `params` object of a request. Read errors name the field.
public struct Parameters: Sendable {
    private let object: JSONValue?

    /// Missing params are read as an empty object.
    public init(_ value: JSONValue?) { object = value }

    /// A text that is equal for all spellings of the same params; `{}` for missing params.
    public var canonicalText: [UInt8] { object.map(JSONScan.canonicalText(of:)) ?? Array("{}".utf8) }

    /// The members in the order of the text; empty for missing params.
    public var members: [(name: String, value: JSONValue)] { object?.members ?? [] }

    /// Returns the member, or nil if it is missing or null: the protocol does not distinguish the two.
    public func value(_ name: String) -> JSONValue? {
        guard let value = object?[name], !value.isNull else { return nil }
        return value
    }

    /// Returns the member, also if it is null. For an agent's id of its request, which can be null.
    package func valueOrNull(_ name: String) -> JSONValue? { object?[name] }

    public func string(_ name: String) throws(Rejection) -> String {
        guard let string = try optionalString(name) else { throw .invalidParams("\(name) is missing") }
        return string
    }

    public func optionalString(_ name: String) throws(Rejection) -> String? {
        guard let value = value(name) else { return nil }
        guard let string = value.stringValue else { throw .invalidParams("\(name) must be a string") }
        return string
    }

    public func optionalString(_ name: String, limitBytes: Int) throws(Rejection) -> String? {
        guard let string = try optionalString(name) else { return nil }
        guard string.utf8.count <= limitBytes else {
            throw .invalidParams("\(name) is longer than \(limitBytes) bytes")
        }
        return string
    }

    /// The `journal` that names an incarnation of a session, of at most 256 bytes. An empty one names none: lists have it for
    /// a session that the log could not store yet, and clients return it.
    public func optionalJournal() throws(Rejection) -> String? {
        let journal = try optionalString("journal", limitBytes: Self.journalLimitBytes)
        return journal?.isEmpty == true ? nil : journal
    }

    /// More than three numbers.
    private static let journalLimitBytes = 256

    /// The `cursor` of a page of a list.
    public func optionalCursor() throws(Rejection) -> String? {
        try optionalString("cursor", limitBytes: Self.cursorLimitBytes)
    }

    /// Three numbers at most.
    static let cursorLimitBytes = 64

    public func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws(Rejection) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let integer = value.int64Value, range.contains(integer) else {
            throw .invalidParams("\(name) must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    public func optionalBool(_ name: String) throws(Rejection) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let bool = value.boolValue else { throw .invalidParams("\(name) must be true or false") }
        return bool
    }

    public func optionalObject(_ name: String) throws(Rejection) -> Parameters? {
        guard let value = value(name) else { return nil }
        guard value.kind == .object else { throw .invalidParams("\(name) must be an object") }
        return Parameters(value)
    }
}
