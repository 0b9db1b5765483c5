/// Reads requests from the bytes of one connection: a strict subset of HTTP/1.1. Source: RFC 9112 and RFC 9110.
///
/// Unusual input is refused, not repaired, because two readers of one message must not interpret it differently.
/// Refused are: bare line ends, folded fields, white space before a colon, a second Host or Content-Length, a transfer
/// coding other than chunked or beside a Content-Length, any target that is not a path, and a body if the method has none. Memory: a head up to
/// `headLimitBytes`, a body up to its limit as far as ``takeBodyPart()`` has not returned it, and all bytes appended
/// beyond them.
package struct RequestParser: Sendable {
    private struct PendingBody {
        let head: RequestHead
        var framing: BodyFraming
        let limitBytes: Int
        /// The client waits for `100 Continue`.
        var awaitsContinue: Bool
        /// Bytes that ``takeBodyPart()`` has returned.
        var takenBytes = 0
        var bytes: [UInt8] = []
    }

    private let bodyLimitBytes: @Sendable (RequestHead) -> Int
    private var input = InputBuffer()
    private var headReader: HeadReader<RequestLine>
    private var pending: PendingBody?
    private var isRefused = false
    /// The head of a request that was refused because of it, or because of its body.
    package private(set) var refusedHead: RequestHead?
    /// True if the first line of the request that was read last begins with the method HEAD. Its response has no body, also if
    /// the request is refused. Source: RFC 9110, section 9.3.2.
    package private(set) var isHead = false

    /// A body over `bodyLimitBytes` is refused with 413 at its head, before any of it is buffered.
    package init(bodyLimitBytes: Int, headLimitBytes: Int = HeadLimit.standardBytes) {
        self.init(headLimitBytes: headLimitBytes) { _ in bodyLimitBytes }
    }

    /// - Parameter bodyLimitBytes: Returns the limit for the body of this request.
    package init(
        headLimitBytes: Int = HeadLimit.standardBytes, bodyLimitBytes: @escaping @Sendable (RequestHead) -> Int
    ) {
        self.bodyLimitBytes = bodyLimitBytes
        headReader = HeadReader(limitBytes: headLimitBytes)
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isRefused else { return }
        input.append(bytes)
    }

    package mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// The next request, or nil until more bytes are appended. A refusal is thrown once, and nothing is read after it.
    package mutating func next() throws(HTTPRefusal) -> Request? {
        guard !isRefused else { return nil }
        do throws(HTTPRefusal) {
            if pending == nil { try readHead() }
            return try readBody()
        } catch {
            isRefused = true
            _ = input.takeAll()
            throw error
        }
    }

    /// The number of bytes of an incomplete request that are in memory.
    package var unfinishedBytes: Int { input.count + (pending?.bytes.count ?? 0) }

    /// The head of a request with an incomplete body, so that it can be checked before the body arrives.
    package var pendingHead: RequestHead? { pending?.head }

    /// True if the client sends the pending body only after `100 Continue`. Source: RFC 9110, section 10.1.1.
    package var awaitsContinue: Bool { pending?.awaitsContinue == true && unfinishedBytes == 0 }

    /// Call when `100 Continue` is sent.
    package mutating func noteContinue() { pending?.awaitsContinue = false }

    /// Returns and removes the bytes of the pending body that have arrived, for a body that is not kept in memory. The
    /// body of the request that ``next()`` returns at the end lacks them.
    package mutating func takeBodyPart() -> [UInt8] {
        guard var body = pending else { return [] }
        pending = nil
        let part = body.bytes
        body.bytes = []
        body.takenBytes += part.count
        pending = body
        return part
    }

    /// Returns and removes the unread bytes. After an upgrade, these are the first bytes of the new protocol.
    package mutating func takeRemainder() -> [UInt8] {
        input.takeAll()
    }

    /// Drops all bytes. Nothing is read from then on.
    package mutating func discard() {
        isRefused = true
        _ = input.takeAll()
        pending = nil
    }

    private mutating func readHead() throws(HTTPRefusal) {
        if headReader.awaitsStartLine { isHead = input.starts(with: "HEAD ") }
        guard let (line, headers) = try headReader.read(from: &input) else { return }
        try Self.checkHost(headers, minorVersion: line.minorVersion)
        let head = RequestHead(
            method: line.method, target: line.target, minorVersion: line.minorVersion, headers: headers)
        refusedHead = head
        let limitBytes = Self.mayHaveBody(line.method) ? bodyLimitBytes(head) : 0
        let framing = try BodyFraming.declared(by: headers, minorVersion: line.minorVersion, limitBytes: limitBytes)
        let awaitsContinue = try Self.awaitsContinue(head)
        pending = PendingBody(head: head, framing: framing, limitBytes: limitBytes, awaitsContinue: awaitsContinue)
    }

    /// An expectation has no meaning in HTTP/1.0. Source: RFC 9110, section 10.1.1.
    private static func awaitsContinue(_ head: RequestHead) throws(HTTPRefusal) -> Bool {
        let expectations = head.headers.all("Expect")
        guard !expectations.isEmpty, head.minorVersion >= 1 else { return false }
        guard expectations.count == 1, ASCII.equalsIgnoringCase(expectations[0], "100-continue") else {
            throw .expectation
        }
        return true
    }

    private mutating func readBody() throws(HTTPRefusal) -> Request? {
        guard var body = pending else { return nil }
        pending = nil
        guard try readParts(of: &body) else {
            pending = body
            return nil
        }
        refusedHead = nil
        return Request(head: body.head, body: body.bytes)
    }

    /// Returns true if the body is complete.
    private mutating func readParts(of body: inout PendingBody) throws(HTTPRefusal) -> Bool {
        switch body.framing {
        case .length(let lengthBytes):
            body.bytes += input.takeBytes(upTo: lengthBytes - body.takenBytes - body.bytes.count)
            return body.takenBytes + body.bytes.count == lengthBytes
        case .chunked(var chunks):
            try chunks.read(from: &input, limitBytes: body.limitBytes, into: &body.bytes)
            body.framing = .chunked(chunks)
            return chunks.isComplete
        }
    }

    /// A body has no meaning for the other methods. Source: RFC 9110, section 9.3.
    private static func mayHaveBody(_ method: String) -> Bool { ["POST", "PUT", "PATCH"].contains(method) }

    /// Source: RFC 9112, section 3.2.
    private static func checkHost(_ headers: Headers, minorVersion: Int) throws(HTTPRefusal) {
        let hosts = headers.all("Host")
        if hosts.isEmpty, minorVersion >= 1 { throw .hostMissing }
        guard hosts.count <= 1, hosts.allSatisfy({ $0.utf8.allSatisfy(ASCII.isHostByte) }) else {
            throw .malformedHost
        }
    }
}
