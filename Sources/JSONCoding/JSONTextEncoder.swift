import JSONScan

/// Encodes `Encodable` types as JSON text without white space. Slashes are never escaped.
///
///     try JSONTextEncoder().encode(["path": "a/b"])  // {"path":"a/b"}
///
/// A double is written as the shortest number that reads back as the same double, and a whole one has no fraction (`1`,
/// as in JavaScript). `RawJSON` is written unchanged. A value can nest 512 levels deep, which is also the limit for
/// decoding.
public struct JSONTextEncoder: Sendable {
    /// The order in which an object's members are written.
    public enum MemberOrder: Hashable, Sendable {
        /// The order in which the types encode them.
        case asEncoded
        /// Ordered by the bytes of their names, so that equal values have equal texts. Members inside `RawJSON` are not
        /// sorted.
        case sorted
    }

    /// The default is `asEncoded`. Use `sorted` for texts that are compared.
    public var memberOrder = MemberOrder.asEncoded

    /// Custom encoding for types without a JSON form, such as a date.
    public var conversions = EncodingConversions()

    /// Passed to every type's `encode(to:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init(memberOrder: MemberOrder = .asEncoded) {
        self.memberOrder = memberOrder
    }

    /// Returns the text of one value. Every error that a type throws meanwhile is converted to a `JSONCodingError`.
    ///
    /// A type that encodes nothing becomes an empty object.
    public func encode(_ value: some Encodable) throws(JSONCodingError) -> [UInt8] {
        let encoder = ValueEncoder(EncodingSettings(conversions: conversions, userInfo: userInfo))
        do {
            try encoder.encode(value)
            var writer = TextWriter(memberOrder: memberOrder)
            try writer.write(encoder.value, depth: 0)
            return writer.text
        } catch {
            throw JSONCodingError(encoding: error)
        }
    }
}

extension JSONCodingError {
    fileprivate init(encoding error: any Error) {
        switch error {
        case let error as JSONCodingError: self = error
        case EncodingError.invalidValue(_, let context):
            self = .unencodable(reason: context.debugDescription, path: CodingPath(context.codingPath))
        default: self = .unencodable(reason: "\(error)", path: CodingPath())
        }
    }
}
