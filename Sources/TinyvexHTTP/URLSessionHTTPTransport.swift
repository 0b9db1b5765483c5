import Foundation
import Synchronization
import TinyvexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`, which uses the system's proxies, certificates and rules for networks. It keeps no
/// cache and no cookies. `unix:` endpoints are refused, because URLSession has no Unix sockets.
public struct URLSessionHTTPTransport: HTTPTransport {
    private let tasks: DataTasks

    /// For the requests of clients that have no transport of their own.
    static let shared = URLSessionHTTPTransport()

    /// - Parameter configuration: Copied now. A proxy or a rule for cellular networks can be set in it.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        // A cache would answer 304 itself.
        copy.urlCache = nil
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        copy.httpShouldSetCookies = false
        tasks = DataTasks(copy)
    }

    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await tasks.send(try Self.urlRequest(request), limitBytes: request.responseLimitBytes).get()
    }

    public func upload(
        _ request: HTTPRequest, _ body: UploadBody, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await tasks.upload(
            try Self.urlRequest(request), body, limitBytes: request.responseLimitBytes, progress
        ).get()
    }

    /// - Throws: `.invalidEndpoint` for an endpoint that URLSession cannot reach.
    static func urlRequest(_ request: HTTPRequest) throws(TransportFailure) -> URLRequest {
        guard case .host(_, _, let isSecure) = request.endpoint.address else {
            throw .invalidEndpoint(
                reason: "URLSession cannot connect to '\(request.endpoint)'; use https://HOST or http://HOST:PORT")
        }
        let text = "\(isSecure ? "https" : "http")://\(request.endpoint.hostField)\(request.target)"
        guard let url = URL(string: text) else { throw .invalidEndpoint(reason: "'\(text)' is not a URL") }
        var urlRequest = URLRequest(url: url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        urlRequest.timeoutInterval = request.timeout / .seconds(1)
        for field in request.fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
        return urlRequest
    }
}

/// Owns a session. Its tasks end when it is released.
private final class DataTasks: Sendable {
    private let session: URLSession
    private let receiver = DataTaskReceiver()

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    /// The session keeps its delegate until it is invalidated.
    deinit { session.invalidateAndCancel() }

    func send(_ request: URLRequest, limitBytes: Int) async -> Result<HTTPResponse, TransportFailure> {
        await run(session.dataTask(with: request), DataTaskReceiver.Response(limitBytes: limitBytes))
    }

    func upload(
        _ request: URLRequest, _ body: UploadBody, limitBytes: Int,
        _ progress: @escaping @Sendable (UploadProgress) -> Void
    ) async -> Result<HTTPResponse, TransportFailure> {
        let task =
            switch body {
            case .bytes(let bytes): session.uploadTask(with: request, from: Data(bytes))
            case .file(let file, _): session.uploadTask(with: request, fromFile: file)
            }
        let response = DataTaskReceiver.Response(
            limitBytes: limitBytes, uploadBytes: body.byteCount, progress: progress)
        return await run(task, response)
    }

    private func run(
        _ task: URLSessionTask, _ response: DataTaskReceiver.Response
    ) async -> Result<HTTPResponse, TransportFailure> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                receiver.add(task, response, continuation)
                // A task that was cancelled before this may have reported its end already.
                if Task.isCancelled { receiver.end(task, .cancelled) } else { task.resume() }
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// Collects the responses of a session's tasks.
private final class DataTaskReceiver: NSObject, URLSessionDataDelegate, Sendable {
    typealias Outcome = Result<HTTPResponse, TransportFailure>

    /// A response that is incomplete. Its body is bounded by `limitBytes`.
    struct Response {
        let limitBytes: Int
        /// The length of the request's body, for ``progress``.
        var uploadBytes = 0
        var progress: (@Sendable (UploadProgress) -> Void)?
        fileprivate var body: [UInt8] = []
    }

    private struct Incomplete {
        var response: Response
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private let responses = Mutex<[Int: Incomplete]>([:])

    func add(_ task: URLSessionTask, _ response: Response, _ continuation: CheckedContinuation<Outcome, Never>) {
        responses.withLock {
            $0[task.taskIdentifier] = Incomplete(response: response, continuation: continuation)
        }
    }

    /// The session's delegate queue is serial, so no call follows the end of the task.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let identifier = task.taskIdentifier
        guard let response = responses.withLock({ $0[identifier]?.response }) else { return }
        response.progress?(
            UploadProgress(sentBytes: Int(clamping: totalBytesSent), totalBytes: response.uploadBytes))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let identifier = dataTask.taskIdentifier
        let exceededBytes: Int? = responses.withLock { responses in
            guard let response = responses[identifier]?.response else { return nil }
            guard response.body.count + data.count <= response.limitBytes else { return response.limitBytes }
            responses[identifier]?.response.body.append(contentsOf: data)
            return nil
        }
        guard let exceededBytes else { return }
        end(dataTask, .messageTooLarge(limitBytes: exceededBytes, beginning: []))
        dataTask.cancel()
    }

    /// Ends the wait for a response, if it has not ended.
    func end(_ task: URLSessionTask, _ failure: TransportFailure) {
        let identifier = task.taskIdentifier
        responses.withLock { $0.removeValue(forKey: identifier) }?.continuation.resume(returning: .failure(failure))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        guard let incomplete = responses.withLock({ $0.removeValue(forKey: identifier) }) else { return }
        incomplete.continuation.resume(returning: Self.outcome(task.response, incomplete.response.body, error))
    }

    /// Follows no redirect: the request contains a token.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    private static func outcome(_ response: URLResponse?, _ body: [UInt8], _ error: (any Error)?) -> Outcome {
        if let error { return .failure(failure(error)) }
        guard let response = response as? HTTPURLResponse else { return .failure(.lost(reason: "no response")) }
        let fields = response.allHeaderFields.compactMap { name, value -> ConnectionRequest.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return .init(name, value)
        }
        return .success(HTTPResponse(status: response.statusCode, fields: fields, body: body))
    }

    private static func failure(_ error: any Error) -> TransportFailure {
        let reason = error.localizedDescription
        guard let error = error as? URLError else { return .lost(reason: reason) }
        return switch error.code {
        case .cancelled: .cancelled
        case .timedOut: .timedOut
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
            .internationalRoamingOff:
            .unreachable(reason: reason)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .appTransportSecurityRequiresSecureConnection:
            .insecure(reason: reason)
        case .badURL, .unsupportedURL: .invalidEndpoint(reason: reason)
        default: .lost(reason: reason)
        }
    }
}
