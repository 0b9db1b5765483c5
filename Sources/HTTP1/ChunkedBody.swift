/// Decodes a body that arrives in chunks. Source: RFC 9112, section 7.1.
///
/// Extensions of chunks and the trailer have no meaning here and are dropped. They are checked and limited, because a body of one
/// byte could otherwise have any size.
struct ChunkedBody: Sendable {
    private enum Place {
        case size
        case data(missingBytes: Int)
        /// Directly after the data of a chunk.
        case dataEnd
        case trailer
        case end
    }

    /// 4 KiB for the extensions of all chunks.
    static let extensionsLimitBytes = 4 << 10
    /// 4 KiB.
    static let trailerLimitBytes = 4 << 10
    /// Enough for a 64-bit number.
    private static let sizeLimitDigits = 16

    private var place = Place.size
    /// The sizes of all chunks that have begun.
    private var byteCount = 0
    private var extensionBytes = 0
    private var trailerBytes = 0

    var isComplete: Bool { if case .end = place { true } else { false } }

    /// Moves the data that have arrived from `input` to `body`.
    ///
    /// - Parameter limitBytes: The limit for the whole body. A chunk beyond it is refused before its data are read.
    mutating func read(
        from input: inout InputBuffer, limitBytes: Int, into body: inout [UInt8]
    ) throws(HTTPRefusal) {
        while try advance(&input, limitBytes, &body) {}
    }

    /// Returns false if more bytes must arrive first, or none at all.
    private mutating func advance(
        _ input: inout InputBuffer, _ limitBytes: Int, _ body: inout [UInt8]
    ) throws(HTTPRefusal) -> Bool {
        switch place {
        case .size: try readSize(&input, limitBytes)
        case .data(let missingBytes): readData(missingBytes, &input, &body)
        case .dataEnd: try readDataEnd(&input)
        case .trailer: try readTrailer(&input)
        case .end: false
        }
    }

    private mutating func readSize(_ input: inout InputBuffer, _ limitBytes: Int) throws(HTTPRefusal) -> Bool {
        let room = Self.sizeLimitDigits + Self.extensionsLimitBytes - extensionBytes + 2
        guard let line = try input.takeLine(limitBytes: room, excess: .chunkExtensions) else { return false }
        let digits = line.prefix { ASCII.isHexadecimalDigit($0) }
        guard (1...Self.sizeLimitDigits).contains(digits.count),
            let size = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformedChunk }
        try noteExtensions(line[digits.endIndex...])
        guard size <= UInt64(max(0, limitBytes - byteCount)) else { throw .bodyTooLarge }
        byteCount += Int(size)
        place = size == 0 ? .trailer : .data(missingBytes: Int(size))
        return true
    }

    /// Extensions begin with a semicolon. Anything else after a size could be read as another size.
    private mutating func noteExtensions(_ text: ArraySlice<UInt8>) throws(HTTPRefusal) {
        guard !text.isEmpty else { return }
        guard ASCII.trimmingBlanks(text).first == UInt8(ascii: ";"),
            text.allSatisfy({ ASCII.isVisible($0) || ASCII.isBlank($0) })
        else { throw .malformedChunk }
        extensionBytes += text.count
        guard extensionBytes <= Self.extensionsLimitBytes else { throw .chunkExtensions }
    }

    private mutating func readData(_ missingBytes: Int, _ input: inout InputBuffer, _ body: inout [UInt8]) -> Bool {
        let part = input.takeBytes(upTo: missingBytes)
        body += part
        place = part.count == missingBytes ? .dataEnd : .data(missingBytes: missingBytes - part.count)
        return part.count == missingBytes
    }

    private mutating func readDataEnd(_ input: inout InputBuffer) throws(HTTPRefusal) -> Bool {
        guard let line = try input.takeLine(limitBytes: 2, excess: .malformedChunk) else { return false }
        guard line.isEmpty else { throw .malformedChunk }
        place = .size
        return true
    }

    private mutating func readTrailer(_ input: inout InputBuffer) throws(HTTPRefusal) -> Bool {
        let room = Self.trailerLimitBytes - trailerBytes
        guard let line = try input.takeLine(limitBytes: room, excess: .trailerTooLarge) else { return false }
        guard !line.isEmpty else {
            place = .end
            return false
        }
        trailerBytes += line.count + 2
        _ = try Headers.Field(line: line)
        return true
    }
}
