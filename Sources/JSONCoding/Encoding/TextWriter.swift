import JSONScan

/// Writes the text after everything is encoded.
struct TextWriter {
    let memberOrder: JSONTextEncoder.MemberOrder
    private(set) var text: [UInt8] = []

    init(memberOrder: JSONTextEncoder.MemberOrder) {
        self.memberOrder = memberOrder
    }

    /// `depth` is the number of containers around the value. Containers from `nestedContainer` are counted only here.
    mutating func write(_ value: EncodedValue, depth: Int) throws(JSONCodingError) {
        switch value {
        case .null: text.append(contentsOf: "null".utf8)
        case .bool(let value): value.append(to: &text)
        case .string(let value): value.append(to: &text)
        case .number(let number): text.append(contentsOf: number)
        case .raw(let raw): text.append(contentsOf: raw.text)
        case .deferred(let encoder): try write(encoder.value, depth: depth)
        case .object(let object): try write(object, depth: depth + 1)
        case .array(let array): try write(array, depth: depth + 1)
        }
    }

    private mutating func write(_ object: EncodedObject, depth: Int) throws(JSONCodingError) {
        try checkDepth(depth)
        text.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in ordered(object.members) {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            member.name.append(to: &text)
            text.append(UInt8(ascii: ":"))
            try write(member.value, depth: depth)
        }
        text.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ array: EncodedArray, depth: Int) throws(JSONCodingError) {
        try checkDepth(depth)
        text.append(UInt8(ascii: "["))
        var isFirst = true
        for element in array.elements {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            try write(element, depth: depth)
        }
        text.append(UInt8(ascii: "]"))
    }

    private func checkDepth(_ depth: Int) throws(JSONCodingError) {
        guard depth <= EncodingSettings.maxDepth else {
            throw .unencodable(reason: "nested deeper than \(EncodingSettings.maxDepth) levels", path: CodingPath())
        }
    }

    private func ordered(
        _ members: [(name: String, value: EncodedValue)]
    ) -> [(name: String, value: EncodedValue)] {
        switch memberOrder {
        case .asEncoded: members
        case .sorted: members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
    }
}
