#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An integer that can be read in Convex's encoding, `{"$integer":"AQAAAAAAAAA="}` (eight bytes, little-endian), or
/// as a plain number. It is written as a plain number.
///
///     struct Row: Decodable { @ConvexInt var count: Int32 }
///
/// An integer that does not fit the type is an error; it is never truncated.
@propertyWrapper
public struct ConvexInt<Integer: FixedWidthInteger & Codable & Sendable>: Hashable, Sendable {
    public var wrappedValue: Integer

    public init(wrappedValue: Integer) { self.wrappedValue = wrappedValue }
}

extension ConvexInt: Codable {
    public init(from decoder: any Decoder) throws {
        guard let bytes = try ConvexBytes(from: decoder, named: "$integer") else {
            wrappedValue = try Integer(from: decoder)
            return
        }
        guard let value = Integer(exactly: Int64(bitPattern: bytes.bits)) else {
            throw DecodingError.typeMismatch(
                Integer.self,
                .init(
                    codingPath: decoder.codingPath, debugDescription: "the integer is out of range for \(Integer.self)")
            )
        }
        wrappedValue = value
    }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A ``ConvexInt`` that can be missing or `null`.
@propertyWrapper
public struct OptionalConvexInt<Integer: FixedWidthInteger & Codable & Sendable>: Hashable, Sendable {
    public var wrappedValue: Integer?

    public init(wrappedValue: Integer?) { self.wrappedValue = wrappedValue }
}

extension OptionalConvexInt: Codable {
    public init(from decoder: any Decoder) throws {
        let isNull = try decoder.singleValueContainer().decodeNil()
        wrappedValue = isNull ? nil : try ConvexInt(from: decoder).wrappedValue
    }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A number that can be read as a plain number or in Convex's encoding for values that JSON cannot express: NaN,
/// the infinities and negative zero, such as `{"$float":"AAAAAAAA+H8="}`. It is written as a plain number if JSON
/// can express it.
@propertyWrapper
public struct ConvexFloat<Float: BinaryFloatingPoint & Codable & Sendable>: Hashable, Sendable {
    public var wrappedValue: Float

    public init(wrappedValue: Float) { self.wrappedValue = wrappedValue }
}

extension ConvexFloat: Codable {
    public init(from decoder: any Decoder) throws {
        if let bytes = try ConvexBytes(from: decoder, named: "$float") {
            wrappedValue = Float(Double(bitPattern: bytes.bits))
        } else {
            wrappedValue = try Float(from: decoder)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        guard !wrappedValue.isFinite else { return try wrappedValue.encode(to: encoder) }
        try ConvexBytes(bits: Double(wrappedValue).bitPattern).encode(to: encoder, named: "$float")
    }
}

/// A ``ConvexFloat`` that can be missing or `null`.
@propertyWrapper
public struct OptionalConvexFloat<Float: BinaryFloatingPoint & Codable & Sendable>: Hashable, Sendable {
    public var wrappedValue: Float?

    public init(wrappedValue: Float?) { self.wrappedValue = wrappedValue }
}

extension OptionalConvexFloat: Codable {
    public init(from decoder: any Decoder) throws {
        let isNull = try decoder.singleValueContainer().decodeNil()
        wrappedValue = isNull ? nil : try ConvexFloat(from: decoder).wrappedValue
    }

    public func encode(to encoder: any Encoder) throws {
        guard let wrappedValue else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        try ConvexFloat(wrappedValue: wrappedValue).encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// Called by synthesised code for a property of this type, so that its member can be missing.
    public func decode<Integer>(
        _ type: OptionalConvexInt<Integer>.Type, forKey key: Key
    ) throws -> OptionalConvexInt<Integer> {
        try decodeIfPresent(type, forKey: key) ?? OptionalConvexInt(wrappedValue: nil)
    }

    /// Called by synthesised code for a property of this type, so that its member can be missing.
    public func decode<Float>(
        _ type: OptionalConvexFloat<Float>.Type, forKey key: Key
    ) throws -> OptionalConvexFloat<Float> {
        try decodeIfPresent(type, forKey: key) ?? OptionalConvexFloat(wrappedValue: nil)
    }
}

/// Eight bytes in base64, as the only member of an object.
private struct ConvexBytes {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    /// Returns nil if the value is not an object.
    init?(from decoder: any Decoder, named name: String) throws {
        guard let container = try? decoder.container(keyedBy: MemberName.self) else { return nil }
        let key = MemberName(stringValue: name)
        guard let data = Data(base64Encoded: try container.decode(String.self, forKey: key)), data.count == 8 else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "expected eight bytes in base64")
        }
        bits = data.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func encode(to encoder: any Encoder, named name: String) throws {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        var container = encoder.container(keyedBy: MemberName.self)
        try container.encode(Data(bytes).base64EncodedString(), forKey: MemberName(stringValue: name))
    }
}
