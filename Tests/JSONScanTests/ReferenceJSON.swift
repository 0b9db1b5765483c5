/// A second parser for RFC 8259, written to be obviously correct: recursive, bytewise, and without code from the
/// scanner.
indirect enum ReferenceJSON {
    struct Member {
        let name: [UInt16]
        let value: ReferenceJSON
        let range: Range<Int>
    }

    case object([Member])
    case array([ReferenceJSON])
    case string([UInt16])
    case number(String)
    case word(String)

    struct Malformed: Error {}

    init(_ text: [UInt8]) throws(Malformed) {
        guard String(validating: text, as: UTF8.self) != nil else { throw Malformed() }
        var reader = Reader(text: text)
        reader.skipSpace()
        self = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.at == text.count else { throw Malformed() }
    }

    func last(_ name: String) -> Member? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == Array(name.utf16) }
    }

    func count(_ name: String) -> Int {
        guard case .object(let members) = self else { return 0 }
        return members.count { $0.name == Array(name.utf16) }
    }
}

private struct Reader {
    let text: [UInt8]
    var at = 0

    var next: Character? { at < text.count ? Character(Unicode.Scalar(text[at])) : nil }

    mutating func skipSpace() {
        while let next, " \t".contains(next) || text[at] == 10 || text[at] == 13 { at += 1 }
    }

    mutating func consume(_ wanted: Character) throws(ReferenceJSON.Malformed) {
        guard next == wanted else { throw ReferenceJSON.Malformed() }
        at += 1
    }

    mutating func value(depth: Int) throws(ReferenceJSON.Malformed) -> ReferenceJSON {
        switch next {
        case "{": return try object(depth: depth + 1)
        case "[": return try array(depth: depth + 1)
        case "\"": return .string(try string())
        case "t": return try word("true")
        case "f": return try word("false")
        case "n": return try word("null")
        default: return try number()
        }
    }

    mutating func object(depth: Int) throws(ReferenceJSON.Malformed) -> ReferenceJSON {
        guard depth <= 512 else { throw ReferenceJSON.Malformed() }
        var members: [ReferenceJSON.Member] = []
        try consume("{")
        skipSpace()
        while next != "}" {
            if !members.isEmpty {
                try consume(",")
                skipSpace()
            }
            let name = try string()
            skipSpace()
            try consume(":")
            skipSpace()
            let start = at
            let value = try value(depth: depth)
            members.append(.init(name: name, value: value, range: start..<at))
            skipSpace()
        }
        try consume("}")
        return .object(members)
    }

    mutating func array(depth: Int) throws(ReferenceJSON.Malformed) -> ReferenceJSON {
        guard depth <= 512 else { throw ReferenceJSON.Malformed() }
        var elements: [ReferenceJSON] = []
        try consume("[")
        skipSpace()
        while next != "]" {
            if !elements.isEmpty {
                try consume(",")
                skipSpace()
            }
            elements.append(try value(depth: depth))
            skipSpace()
        }
        try consume("]")
        return .array(elements)
    }

    mutating func word(_ word: String) throws(ReferenceJSON.Malformed) -> ReferenceJSON {
        for letter in word { try consume(letter) }
        return .word(word)
    }

    mutating func number() throws(ReferenceJSON.Malformed) -> ReferenceJSON {
        let start = at
        while let next, "+-.eE0123456789".contains(next) { at += 1 }
        let number = String(decoding: text[start..<at], as: UTF8.self)
        guard number.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil else {
            throw ReferenceJSON.Malformed()
        }
        return .number(number)
    }

    mutating func string() throws(ReferenceJSON.Malformed) -> [UInt16] {
        try consume("\"")
        var units: [UInt16] = []
        var plain: [UInt8] = []
        while at < text.count, text[at] != 0x22 {
            guard text[at] >= 0x20 else { throw ReferenceJSON.Malformed() }
            if text[at] == 0x5c {
                units += Array(String(decoding: plain, as: UTF8.self).utf16)
                plain = []
                units.append(try escape())
            } else {
                plain.append(text[at])
                at += 1
            }
        }
        try consume("\"")
        return units + Array(String(decoding: plain, as: UTF8.self).utf16)
    }

    mutating func escape() throws(ReferenceJSON.Malformed) -> UInt16 {
        try consume("\\")
        let simple: [Character: UInt16] = [
            "\"": 34, "\\": 92, "/": 47, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        guard let letter = next else { throw ReferenceJSON.Malformed() }
        at += 1
        if let unit = simple[letter] { return unit }
        guard letter == "u", at + 4 <= text.count else { throw ReferenceJSON.Malformed() }
        let digits = String(decoding: text[at..<at + 4], as: UTF8.self)
        guard digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw ReferenceJSON.Malformed()
        }
        at += 4
        return unit
    }
}
