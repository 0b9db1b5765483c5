import TinyvexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends requests to a bridge over HTTP. It is the HTTP client's only interface to the network.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns its response, with any status. Redirects are not followed, because the request
    /// contains a token. Cancelling the task throws `.cancelled` and ends the request.
    ///
    /// - Throws: `.unreachable` if the request was certainly not sent; `.lost` or `.timedOut` if it is unknown whether
    ///   the bridge has received the request; `.messageTooLarge` if the response exceeds the request's limit.
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse

    /// Sends one request with a body that can be a file, and reports the progress. The response and the errors are
    /// those of ``send(_:)``. The implementation for other transports reads a file into memory first, and reports only
    /// the start and the end.
    ///
    /// - Parameter progress: Called in order, with growing counts, on any thread. No call follows the return.
    func upload(
        _ request: HTTPRequest, _ body: UploadBody, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TransportFailure) -> HTTPResponse
}

extension HTTPTransport {
    public func upload(
        _ request: HTTPRequest, _ body: UploadBody, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        switch body {
        case .bytes(let bytes): request.body = bytes
        case .file(let file, _):
            do { request.body = Array(try Data(contentsOf: file)) } catch { throw .unreachable(reason: "\(error)") }
        }
        progress(UploadProgress(sentBytes: 0, totalBytes: body.byteCount))
        let response = try await send(request)
        progress(UploadProgress(sentBytes: body.byteCount, totalBytes: body.byteCount))
        return response
    }
}

/// A request to a bridge.
public struct HTTPRequest: Sendable, Equatable {
    /// The address of the bridge. Its own target is not used.
    public var endpoint: Endpoint
    /// `GET` or `POST`.
    public var method: String
    /// Path and query, percent-encoded: `/api/query?path=sessions:list`.
    public var target: String
    public var fields: [ConnectionRequest.Field] = []
    /// Nil for GET.
    public var body: [UInt8]?
    /// The request ends with `.timedOut` after this time without any data.
    public var timeout: Duration
    /// The size of the largest response body.
    public var responseLimitBytes: Int

    public init(
        endpoint: Endpoint, method: String, target: String, body: [UInt8]? = nil, timeout: Duration,
        responseLimitBytes: Int
    ) {
        self.endpoint = endpoint
        self.method = method
        self.target = target
        self.body = body
        self.timeout = timeout
        self.responseLimitBytes = responseLimitBytes
    }

    /// The value of a header field, by its name in any case.
    public func field(_ name: String) -> String? { fields.value(of: name) }
}

/// The response of a bridge, or of a server in front of it.
public struct HTTPResponse: Sendable, Equatable {
    public var status: Int
    public var fields: [ConnectionRequest.Field]
    public var body: [UInt8]

    public init(status: Int, fields: [ConnectionRequest.Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of a header field, by its name in any case.
    public func field(_ name: String) -> String? { fields.value(of: name) }
}

extension [ConnectionRequest.Field] {
    fileprivate func value(of name: String) -> String? {
        first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Answers requests in the program's own process, in tests.
public struct InProcessHTTPTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) async throws(TransportFailure) -> HTTPResponse

    public init(_ answer: @escaping @Sendable (HTTPRequest) async throws(TransportFailure) -> HTTPResponse) {
        self.answer = answer
    }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await answer(request)
    }
}
