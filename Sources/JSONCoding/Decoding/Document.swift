import JSONScan

/// One text while it is decoded. Each of its decoders and containers consists of this document and a place in it.
final class Document {
    let outline: JSONOutline
    let conversions: DecodingConversions
    let userInfo: [CodingUserInfoKey: any Sendable]

    init(_ outline: JSONOutline, conversions: DecodingConversions, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.outline = outline
        self.conversions = conversions
        self.userInfo = userInfo
    }

    /// The place of a value, or the place at which a value is missing.
    enum Place {
        case value(JSONOutline.Node)
        /// The object has no such member.
        case missingMember(in: JSONOutline.Node, key: any CodingKey)
        /// The place after the array's last element.
        case missingElement(in: JSONOutline.Node)
    }
}

// MARK: - Values

extension Document {
    func decode<Value: Decodable>(_ type: Value.Type, at place: Place) throws -> Value {
        guard case .value(let node) = place else { throw mismatch(type, at: place) }
        if type == RawJSON.self, let raw = RawJSON(outline.value(of: node)) as? Value { return raw }
        if let conversion = conversions.conversion(for: type) {
            guard let value = conversion(outline.value(of: node)) as? Value else { throw mismatch(type, at: place) }
            return value
        }
        if type == String.self, let string = try string(at: place) as? Value { return string }
        if isNull(at: place), type is any DecodableFromNull.Type { return try decodeEmptyObject(type) }
        do {
            return try type.init(from: ValueDecoder(document: self, place: place))
        } catch {
            throw decodingError(for: error, at: place, expecting: type)
        }
    }

    private func decodeEmptyObject<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let outline = try JSONOutline(Array("{}".utf8))
        let empty = Document(outline, conversions: conversions, userInfo: userInfo)
        return try type.init(from: ValueDecoder(document: empty, place: .value(outline.root)))
    }

    func isNull(at place: Place) -> Bool {
        guard case .value(let node) = place else { return true }
        return outline.kind(of: node) == .null
    }

    func bool(at place: Place) throws -> Bool {
        guard case .value(let node) = place, let value = outline.value(of: node).boolValue else {
            throw mismatch(Bool.self, at: place)
        }
        return value
    }

    func string(at place: Place) throws -> String {
        guard case .value(let node) = place, let value = outline.string(of: node) else {
            throw mismatch(String.self, at: place)
        }
        return value
    }

    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at place: Place) throws -> Integer {
        guard case .value(let node) = place, outline.kind(of: node) == .number,
            let value = exactInteger(outline.text[outline.range(of: node)], as: type)
        else { throw mismatch(type, at: place) }
        return value
    }

    func floatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Number.Type, at place: Place
    ) throws -> Number {
        guard case .value(let node) = place, outline.kind(of: node) == .number,
            let value = Number(outline.value(of: node).rawString), value.isFinite
        else { throw mismatch(type, at: place) }
        return value
    }
}
