import JSONScan

/// Writes `Encodable` types as JSON text without white space. Slashes are never escaped.
///
///     try JSONTextEncoder().encode(["path": "a/b"])  // {"path":"a/b"}
///
/// A double is written as the shortest number that reads back the same, a whole one without a fraction (`1`, as in
/// JavaScript). `RawJSON` is written as it is spelt. A value may nest 512 levels deep, as what is read may.
public struct JSONTextEncoder: Sendable {
    /// In which order an object's members are written.
    public enum MemberOrder: Hashable, Sendable {
        /// As the types write them.
        case asEncoded
        /// By the bytes of their names, so that equal values have one text. Not inside `RawJSON`.
        case sorted
    }

    /// `asEncoded` unless it is set; `sorted` for texts that are compared.
    public var memberOrder = MemberOrder.asEncoded

    /// How to write types that JSON has no form for, such as a date.
    public var conversions = EncodingConversions()

    /// Handed on to every type's `encode(to:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    public init(memberOrder: MemberOrder = .asEncoded) {
        self.memberOrder = memberOrder
    }

    /// The text of one value. Whatever a type throws while it is written comes out as a `JSONCodingError`.
    ///
    /// A type that writes nothing at all is an empty object.
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
