/// The received bytes are not a response that this client can read.
package struct MalformedResponse: Error, Sendable, Equatable {
    /// One sentence.
    package let reason: String
}

/// Reads one response: the part of HTTP/1.1 that a client needs to ask for an upgrade and to show why it was refused.
///
/// Interim responses (1xx except 101) are skipped. A body is read by its Content-Length, or up to the end of the
/// connection. A body with a transfer coding is not read, and the response is delivered without it. Memory: a head up
/// to 16 KiB, a body up to 1 MiB, and all bytes appended beyond them.
package struct ResponseParser: Sendable {
    /// 1 MiB, more than any error page that someone will read.
    package static let bodyLimitBytes = 1 << 20

    private struct PendingBody {
        var response: Response
        /// Nil for a body that ends with the connection.
        let lengthBytes: Int?
    }

    private var input = InputBuffer()
    private var headReader = HeadReader<StatusLine>()
    private var pending: PendingBody?
    private var isFinished = false

    private let bodyLimitBytes: Int

    package init(bodyLimitBytes: Int = Self.bodyLimitBytes) {
        self.bodyLimitBytes = bodyLimitBytes
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        input.append(bytes)
    }

    package mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// The response, once. Nil until more bytes are appended, and after the response was returned.
    package mutating func next() throws(MalformedResponse) -> Response? {
        guard !isFinished else { return nil }
        do throws(HTTPRefusal) {
            while pending == nil {
                guard try readHead() else { return nil }
            }
            return try readBody()
        } catch {
            isFinished = true
            throw MalformedResponse(reason: error.reason)
        }
    }

    /// Call when the connection has ended: returns the response with a body that ends with the connection, or nil when
    /// no response is complete.
    package mutating func connectionEnded() -> Response? {
        guard !isFinished, let pending, pending.lengthBytes == nil else { return nil }
        isFinished = true
        return pending.response
    }

    /// Returns and removes the unread bytes. After 101, these are the first bytes of the new protocol.
    package mutating func takeRemainder() -> [UInt8] {
        input.takeAll()
    }

    /// Returns false until the head is complete.
    private mutating func readHead() throws(HTTPRefusal) -> Bool {
        guard let (line, headers) = try headReader.read(from: &input) else { return false }
        let isInterim = line.status < 200 && line.status != 101
        if !isInterim {
            let length = try bodyLength(status: line.status, headers: headers)
            pending = PendingBody(response: Response(status: line.status, headers: headers), lengthBytes: length)
        }
        return true
    }

    private mutating func readBody() throws(HTTPRefusal) -> Response? {
        guard var body = pending else { return nil }
        pending = nil
        let missing = (body.lengthBytes ?? .max) - body.response.body.count
        body.response.body += input.takeBytes(upTo: missing)
        guard body.response.body.count <= bodyLimitBytes else { throw .bodyTooLarge }
        guard body.response.body.count == body.lengthBytes else {
            pending = body
            return nil
        }
        isFinished = true
        return body.response
    }

    /// Source: RFC 9112, section 6.3.
    private func bodyLength(status: Int, headers: Headers) throws(HTTPRefusal) -> Int? {
        let hasBody = status != 101 && status != 204 && status != 304
        guard hasBody, headers.all("Transfer-Encoding").isEmpty else { return 0 }
        return try BodyLength.declared(by: headers, limitBytes: bodyLimitBytes)
    }
}
