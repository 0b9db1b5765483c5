import TinyvexSync

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An integer that may come as Convex writes it, `{"$integer":"AQAAAAAAAAA="}` (eight bytes, the least first), or as a
/// plain number. Written as a plain number.
///
///     struct Row: Decodable { @ConvexInt var count: Int32 }
///
/// What does not fit the type is an error, never cut.
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
                .init(codingPath: decoder.codingPath, debugDescription: "the integer does not fit \(Integer.self)"))
        }
        wrappedValue = value
    }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// As ``ConvexInt``, for one that may be missing or `null`.
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

/// A number that may come as Convex writes what JSON cannot, `{"$float":"AAAAAAAA+H8="}` for NaN, the infinities and
/// negative zero, or as a plain number. Written as a plain number where JSON has one for it.
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

/// As ``ConvexFloat``, for one that may be missing or `null`.
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
    /// What synthesised code calls for a property of this type: its member may be missing.
    public func decode<Integer>(
        _ type: OptionalConvexInt<Integer>.Type, forKey key: Key
    ) throws -> OptionalConvexInt<Integer> {
        try decodeIfPresent(type, forKey: key) ?? OptionalConvexInt(wrappedValue: nil)
    }

    /// What synthesised code calls for a property of this type: its member may be missing.
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

    /// Nil where no object stands.
    init?(from decoder: any Decoder, named name: String) throws {
        guard let container = try? decoder.container(keyedBy: Name.self) else { return nil }
        let key = Name(stringValue: name)
        guard let data = Data(base64Encoded: try container.decode(String.self, forKey: key)), data.count == 8 else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "eight bytes in base64 are expected")
        }
        bits = data.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func encode(to encoder: any Encoder, named name: String) throws {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(Data(bytes).base64EncodedString(), forKey: Name(stringValue: name))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
