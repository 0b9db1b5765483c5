import JSONScan

/// The `Encoder` that is passed to a type. It accepts one value.
///
/// A type that requests a container twice writes to the same container. A type that writes another kind of value
/// replaces the earlier value.
final class ValueEncoder: Encoder {
    let settings: EncodingSettings
    let path: EncodingPath
    /// The number of containers around this value.
    let depth: Int
    /// The number of `encode(to:)` calls in progress.
    let calls: Int
    private var encoded: EncodedValue?

    init(_ settings: EncodingSettings, path: EncodingPath = .root, depth: Int = 0, calls: Int = 0) {
        self.settings = settings
        self.path = path
        self.depth = depth
        self.calls = calls
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

    /// The encoded value, or an empty object if nothing was encoded.
    var value: EncodedValue {
        get { encoded ?? .object(EncodedObject()) }
        set { encoded = newValue }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object(let object) = encoded { return KeyedEncodingContainer(KeyedEncoding(self, object)) }
        let object = EncodedObject()
        encoded = .object(object)
        return KeyedEncodingContainer(KeyedEncoding(self, object))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .array(let array) = encoded { return UnkeyedEncoding(self, array) }
        let array = EncodedArray()
        encoded = .array(array)
        return UnkeyedEncoding(self, array)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueEncoding(encoder: self) }

    /// Creates the encoder of a member or an element.
    func child(_ key: some CodingKey) -> ValueEncoder {
        ValueEncoder(settings, path: .step(from: path, key), depth: depth + 1, calls: calls + 1)
    }
}

extension ValueEncoder {
    /// Encodes `value` as this encoder's value.
    func encode<Value: Encodable>(_ value: Value) throws {
        if Value.self == RawJSON.self, let raw = value as? RawJSON {
            self.value = .raw(raw)
        } else if let conversion = settings.conversions.conversion(for: Value.self) {
            guard let raw = conversion(value) else { throw unencodable("\(Value.self) cannot encode this value") }
            self.value = .raw(raw)
        } else {
            guard depth <= EncodingSettings.maxDepth, calls <= EncodingSettings.maxCalls else {
                throw unencodable("nested deeper than \(EncodingSettings.maxDepth) levels")
            }
            try encodeByItself(value)
        }
    }

    private func encodeByItself(_ value: some Encodable) throws {
        do {
            try value.encode(to: self)
        } catch let error as EncodingError {
            throw error
        } catch let error as JSONCodingError {
            throw error
        } catch {
            throw unencodable("\(error)")
        }
    }

    /// The text of a number. Infinities and NaN throw, because JSON has no text for them.
    func number<Number: BinaryFloatingPoint & CustomStringConvertible>(_ value: Number) throws -> EncodedValue {
        guard value.isFinite else { throw unencodable("\(value) is not a JSON number") }
        let text = value.description
        return .number(Array((text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8))
    }

    private func unencodable(_ reason: String) -> JSONCodingError {
        .unencodable(reason: reason, path: CodingPath(codingPath))
    }
}

extension EncodedValue {
    init(_ integer: some FixedWidthInteger) {
        self = .number(Array(String(integer).utf8))
    }
}
