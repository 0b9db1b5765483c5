/// The first line of a request or a response.
protocol StartLine: Sendable {
    init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal)
}

/// The maximum size of a message's head.
package enum HeadLimit {
    package static let standardBytes = 16 << 10
}

/// Reads a message's head line by line, so that each line is checked when it arrives. Source: RFC 9112, sections 2 to
/// 5, without its optional leniencies.
struct HeadReader<Line: StartLine>: Sendable {
    let limitBytes: Int
    /// 8 KiB. RFC 9112, section 3, recommends at least 8000 bytes.
    static var startLineLimitBytes: Int { 8 << 10 }

    private var line: Line?
    private var headers = Headers()
    private var sizeBytes = 0

    var awaitsStartLine: Bool { line == nil }

    /// - Parameter limitBytes: 16 KiB by default. A browser's request with many cookies is smaller.
    init(limitBytes: Int = HeadLimit.standardBytes) { self.limitBytes = limitBytes }

    /// The whole head, or nil until its empty line has arrived.
    mutating func read(from input: inout InputBuffer) throws(HTTPRefusal) -> (line: Line, headers: Headers)? {
        guard let line = try startLine(from: &input) else { return nil }
        while let bytes = try input.takeLine(limitBytes: limitBytes - sizeBytes, excess: .headTooLarge) {
            if bytes.isEmpty {
                defer { self = HeadReader(limitBytes: limitBytes) }
                return (line, headers)
            }
            sizeBytes += bytes.count + 2
            headers.append(try Headers.Field(line: bytes))
        }
        return nil
    }

    private mutating func startLine(from input: inout InputBuffer) throws(HTTPRefusal) -> Line? {
        if let line { return line }
        let taken = try input.takeLine(
            limitBytes: min(limitBytes, Self.startLineLimitBytes), excess: .requestLineTooLong)
        guard let bytes = taken else { return nil }
        sizeBytes = bytes.count + 2
        line = try Line(parsing: bytes)
        return line
    }
}
