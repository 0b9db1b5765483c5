/// The first line of a message: a request's or a response's.
protocol StartLine: Sendable {
    init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal)
}

/// Reads a message's head line by line, so that each line is judged when it arrives.
/// Source: RFC 9112, sections 2 to 5, without their leniencies.
struct HeadReader<Line: StartLine>: Sendable {
    /// What a browser's request with many cookies stays below.
    static var limitBytes: Int { 16 << 10 }
    /// RFC 9112, section 3, recommends at least 8000.
    static var startLineLimitBytes: Int { 8 << 10 }

    private var line: Line?
    private var headers = Headers()
    private var sizeBytes = 0

    /// The whole head, or nil until its empty line has arrived.
    mutating func read(from input: inout InputBuffer) throws(HTTPRefusal) -> (line: Line, headers: Headers)? {
        guard let line = try startLine(from: &input) else { return nil }
        while let bytes = try input.takeLine(limitBytes: Self.limitBytes - sizeBytes, excess: .headTooLarge) {
            if bytes.isEmpty {
                defer { self = HeadReader() }
                return (line, headers)
            }
            sizeBytes += bytes.count + 2
            try appendField(bytes)
        }
        return nil
    }

    private mutating func startLine(from input: inout InputBuffer) throws(HTTPRefusal) -> Line? {
        if let line { return line }
        let taken = try input.takeLine(limitBytes: Self.startLineLimitBytes, excess: .requestLineTooLong)
        guard let bytes = taken else { return nil }
        sizeBytes = bytes.count + 2
        line = try Line(parsing: bytes)
        return line
    }

    private mutating func appendField(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        if let first = line.first, ASCII.isBlank(first) { throw .foldedField }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), ASCII.isToken(line[..<colon]) else {
            throw .malformedFieldName
        }
        let trimmed = ASCII.trimmingBlanks(line[(colon + 1)...])
        guard let value = String(validating: trimmed, as: UTF8.self) else { throw .malformedFieldValue }
        headers.append(String(decoding: line[..<colon], as: UTF8.self), value)
    }
}
