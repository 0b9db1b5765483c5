/// Writes one JSON text. The writer adds commas, quotes and escapes. The caller must nest its closures so that members
/// are written in objects and elements in arrays.
///
///     JSONWriter.object {
///         $0.member("ok", true)
///         $0.memberArray("ids") { $0.element("a") }
///     }
///     // {"ok":true,"ids":["a"]}
///
/// Only the bytes that RFC 8259 section 7 requires are escaped: quote, backslash and the bytes below 0x20.
public struct JSONWriter: Sendable {
    /// The bytes written so far. They are a complete text after the outermost closure has returned.
    public private(set) var bytes: [UInt8] = []

    private var needsComma = false

    public init() {}

    /// Returns the text of one object.
    public static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(body)
        return writer.bytes
    }

    /// Returns the text of one array.
    public static func array(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.array(body)
        return writer.bytes
    }

    /// Returns the text of one scalar, for example a string with its quotes.
    public static func scalar(_ value: some JSONScalar) -> [UInt8] {
        var writer = JSONWriter()
        writer.element(value)
        return writer.bytes
    }
}

// MARK: - Top-level values and elements of an array

extension JSONWriter {
    /// Writes `{…}` with the members that `body` writes.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginValue()
        container(.openBrace, .closeBrace, body)
    }

    /// Writes `[…]` with the elements that `body` writes.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginValue()
        container(.openBracket, .closeBracket, body)
    }

    /// Writes one scalar.
    public mutating func element(_ value: some JSONScalar) {
        beginValue()
        value.append(to: &bytes)
    }

    /// `raw` must be one JSON value. It is not checked.
    public mutating func element(raw: some Collection<UInt8>) {
        beginValue()
        bytes.append(contentsOf: raw)
    }

    /// Writes `null`.
    public mutating func null() {
        beginValue()
        appendNull()
    }
}

// MARK: - Members of an object

extension JSONWriter {
    /// Writes `"name":value`.
    public mutating func member(_ name: String, _ value: some JSONScalar) {
        beginMember(name)
        value.append(to: &bytes)
    }

    /// Writes nothing when the value is nil. Use `memberNull` to write `null`.
    public mutating func member(_ name: String, ifPresent value: (some JSONScalar)?) {
        if let value { member(name, value) }
    }

    /// `raw` must be one JSON value. It is not checked.
    public mutating func member(_ name: String, raw: some Collection<UInt8>) {
        beginMember(name)
        bytes.append(contentsOf: raw)
    }

    /// Writes `"name":null`.
    public mutating func memberNull(_ name: String) {
        beginMember(name)
        appendNull()
    }

    /// Writes `"name":{…}` with the members that `body` writes.
    public mutating func memberObject(_ name: String, _ body: (inout JSONWriter) -> Void) {
        beginMember(name)
        container(.openBrace, .closeBrace, body)
    }

    /// Writes `"name":[…]` with the elements that `body` writes.
    public mutating func memberArray(_ name: String, _ body: (inout JSONWriter) -> Void) {
        beginMember(name)
        container(.openBracket, .closeBracket, body)
    }
}

extension JSONWriter {
    private mutating func beginValue() {
        if needsComma { bytes.append(.comma) }
        needsComma = true
    }

    private mutating func beginMember(_ name: String) {
        beginValue()
        name.append(to: &bytes)
        bytes.append(.colon)
    }

    private mutating func container(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func appendNull() {
        bytes.append(contentsOf: "null".utf8)
    }
}
