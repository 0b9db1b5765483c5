import JSONScan
import TinyvexClient
import TinyvexTransport

/// One call over HTTP: when its request is sent, and the meaning of each response. Pure.
struct CallMachine {
    /// The effect of sending the same request twice.
    enum Repetition {
        /// The call changes nothing.
        case reads
        /// The bridge runs the call once, or its repetition has no further effect.
        case repeats
        case harms
    }

    enum Reply: Equatable {
        /// The value's JSON text, and its entity tag.
        case value([UInt8], tag: String?)
        /// The value is the one with the tag of the request.
        case unchanged
    }

    enum Action: Equatable {
        case send
        /// Ask for another token than the one of the last request.
        case renewToken
        case wait(Duration)
        case finish(Result<Reply, TinyvexError>)
    }

    private let repetition: Repetition
    private let attemptsLimit: Int
    private var attempts = 1
    private var hasRenewed = false
    /// A request was sent, and its outcome is not known.
    private var isOpen = false
    private var backoff: Backoff

    init(_ repetition: Repetition, attemptsLimit: Int, backoff: Backoff) {
        self.repetition = repetition
        self.attemptsLimit = attemptsLimit
        self.backoff = backoff
    }

    mutating func received(_ result: Result<HTTPResponse, TransportFailure>) -> Action {
        switch result {
        case .failure(let failure): failed(failure)
        case .success(let response): received(response)
        }
    }

    /// - Parameter isNew: There is another token now.
    mutating func renewed(_ isNew: Bool) -> Action { isNew ? .send : finish(.unauthorized) }

    // MARK: Responses

    private mutating func received(_ response: HTTPResponse) -> Action {
        switch response.status {
        case 304: return .finish(.success(.unchanged))
        case 401 where !hasRenewed:
            hasRenewed = true
            return .renewToken
        case 401: return finish(.unauthorized)
        default: break
        }
        let body = try? JSONValue(validating: response.body)
        switch body?["status"]?.stringValue {
        case "success":
            let value = Array(body?["value"]?.rawText ?? Array("null".utf8)[...])
            return .finish(.success(.value(value, tag: response.field("ETag"))))
        case "error": return finish(Self.error(of: body, response))
        default: return refused(response, reason: body?["error"]?.stringValue)
        }
    }

    /// The error in Convex's form. A code of the protocol is preferred to the status, which is less exact.
    private static func error(of body: JSONValue?, _ response: HTTPResponse) -> TinyvexError {
        let data = body?["errorData"]
        return .server(
            code: data?["code"]?.stringValue ?? String(response.status),
            message: body?["errorMessage"]?.stringValue ?? "", data: data)
    }

    /// A refusal before the call, by the bridge or by a proxy.
    private mutating func refused(_ response: HTTPResponse, reason: String?) -> Action {
        let line = reason ?? String(decoding: response.body.prefix { $0 != 0x0a }.prefix(200), as: UTF8.self)
        let failure = TransportFailure(
            status: response.status, retryAfter: response.field("Retry-After"), reason: line)
        switch response.status {
        // A proxy sends these also if the bridge has received the request.
        case 502, 504: return failed(.lost(reason: "\(line) (\(response.status))"))
        case 400..<500 where reason != nil && response.status != 429:
            return finish(.server(code: String(response.status), message: line, data: nil))
        default: return finish(.transport(failure))
        }
    }

    // MARK: Failures

    private mutating func failed(_ failure: TransportFailure) -> Action {
        switch failure {
        case .unreachable: return repeated(failure)
        case .lost, .timedOut, .closed:
            isOpen = true
            return repetition == .harms ? finish(.transport(failure)) : repeated(failure)
        case .cancelled: return .finish(.failure(.cancelled))
        case .messageTooLarge(let limit, _): return .finish(.failure(.tooLarge(limitBytes: limit)))
        default: return finish(.transport(failure))
        }
    }

    private mutating func repeated(_ failure: TransportFailure) -> Action {
        guard attempts < attemptsLimit else { return finish(.transport(failure)) }
        attempts += 1
        return .wait(backoff.nextDelay())
    }

    private func finish(_ error: TinyvexError) -> Action {
        guard case .transport = error, isOpen, repetition != .reads else { return .finish(.failure(error)) }
        return .finish(.failure(.outcomeUnknown))
    }
}
