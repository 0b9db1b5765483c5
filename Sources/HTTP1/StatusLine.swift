/// `HTTP/1.1 101 Switching Protocols`. Source: RFC 9112, section 4.
struct StatusLine: StartLine, Equatable {
    let status: Int

    /// The reason phrase can be empty and is not stored.
    init(parsing line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        let parts = line.split(separator: ASCII.space, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, ["HTTP/1.1", "HTTP/1.0"].contains(where: { parts[0].elementsEqual($0.utf8) }) else {
            throw .malformedStatusLine
        }
        let digits = parts[1]
        guard digits.count == 3, digits.allSatisfy(ASCII.isDigit),
            let status = Int(String(decoding: digits, as: UTF8.self)), status >= 100
        else { throw .malformedStatusLine }
        self.status = status
    }
}

extension HTTPRefusal {
    fileprivate static let malformedStatusLine = HTTPRefusal(
        status: 502, reason: "The first line must be HTTP/1.1 or HTTP/1.0 and a status of three digits.")
}
