/// The parts of a client's line that this agent needs. It does not validate: the tests send valid JSON.
struct Message {
    /// The id as spelt in the line: `7`, `"a"`, `null`.
    let id: String?
    let method: String?
    let sessionID: String?
    /// The id in `$/cancel_request`, as spelt.
    let requestID: String?

    init(line: [UInt8]) {
        let members = Members(of: line[...])
        id = members["id"].map { String(decoding: $0, as: UTF8.self) }
        method = members.string("method")
        let params = members["params"].map { Members(of: $0) }
        sessionID = params?.string("sessionId")
        requestID = params?["requestId"].map { String(decoding: $0, as: UTF8.self) }
    }

    var isRequest: Bool { method != nil && id != nil }
    var isResponse: Bool { method == nil && id != nil }
}

/// The members of one JSON object: keys as spelt, values as slices. If a key is repeated, the last one counts.
private struct Members {
    private var values: [String: ArraySlice<UInt8>] = [:]

    init(of text: ArraySlice<UInt8>) {
        var scanner = Scanner(text: text)
        guard scanner.skip("{") else { return }
        while let key = scanner.value(), scanner.skip(":"), let value = scanner.value() {
            values[String(decoding: key.dropFirst().dropLast(), as: UTF8.self)] = value
            guard scanner.skip(",") else { return }
        }
    }

    subscript(key: String) -> ArraySlice<UInt8>? { values[key] }

    func string(_ key: String) -> String? {
        guard let value = values[key], value.first == UInt8(ascii: "\"") else { return nil }
        return String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
    }
}

private struct Scanner {
    private let text: ArraySlice<UInt8>
    private var index: Int

    init(text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < text.endIndex, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// The next whole value, including nested brackets and strings. Nil at the end or before a closing bracket.
    mutating func value() -> ArraySlice<UInt8>? {
        skipSpace()
        let start = index
        var depth = 0
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return taken(from: start) }
                depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { return taken(from: start) }
            default: break
            }
            index += 1
        }
        return taken(from: start)
    }

    /// Skips from the opening quote to the closing one.
    private mutating func skipString() {
        index += 1
        while index < text.endIndex, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    private mutating func skipSpace() {
        while index < text.endIndex, text[index] <= 0x20 { index += 1 }
    }

    private func taken(from start: Int) -> ArraySlice<UInt8>? {
        var end = min(index, text.endIndex)
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        return end > start ? text[start..<end] : nil
    }
}
