import JSONScan

extension RawJSON: Codable {
    public init(from decoder: any Decoder) throws {
        if let value = (decoder as? ValueDecoder)?.value {
            self.init(value)
        } else {
            try self.init(building: decoder)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? ValueEncoder {
            encoder.value = .raw(self)
        } else {
            try value.encodeParts(to: encoder)
        }
    }
}

// MARK: - Other coders

extension RawJSON {
    private init(building decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: PathKey.self) {
            // Other decoders do not keep the members' order, and may return a different order each time.
            let keys = object.allKeys.sorted { $0.stringValue < $1.stringValue }
            self.init(try keys.map { ($0.stringValue, try object.decode(RawJSON.self, forKey: $0)) })
        } else if var array = try? decoder.unkeyedContainer() {
            var elements: [RawJSON] = []
            while !array.isAtEnd { elements.append(try array.decode(RawJSON.self)) }
            self.init(elements)
        } else {
            try self.init(buildingScalar: decoder.singleValueContainer())
        }
    }

    private init(buildingScalar scalar: any SingleValueDecodingContainer) throws {
        if scalar.decodeNil() {
            self = .null
        } else if let bool = try? scalar.decode(Bool.self) {
            self.init(bool)
        } else if let integer = try? scalar.decode(Int64.self) {
            self.init(integer)
        } else if let integer = try? scalar.decode(UInt64.self) {
            self.init(integer)
        } else if let number = try? scalar.decode(Double.self) {
            self.init(number)
        } else {
            self.init(try scalar.decode(String.self))
        }
    }
}

extension JSONValue {
    fileprivate func encodeParts(to encoder: any Encoder) throws {
        switch kind {
        case .object:
            var object = encoder.container(keyedBy: PathKey.self)
            for member in members { try object.encode(RawJSON(member.value), forKey: .member(member.name)) }
        case .array:
            var array = encoder.unkeyedContainer()
            for element in elements { try array.encode(RawJSON(element)) }
        case .string, .number, .boolean, .null:
            var scalar = encoder.singleValueContainer()
            try encodeScalar(to: &scalar)
        }
    }

    private func encodeScalar(to scalar: inout any SingleValueEncodingContainer) throws {
        if let string = stringValue {
            try scalar.encode(string)
        } else if let bool = boolValue {
            try scalar.encode(bool)
        } else if let integer = int64Value {
            try scalar.encode(integer)
        } else if let integer = UInt64(rawString) {
            try scalar.encode(integer)
        } else if let number = doubleValue {
            try scalar.encode(number)
        } else {
            try scalar.encodeNil()
        }
    }
}
