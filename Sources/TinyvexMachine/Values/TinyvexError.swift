import JSONScan
import TinyvexTransport

/// Every error that a program can get when it uses a bridge. Each description names the person or program that can fix
/// it.
public enum TinyvexError: Error, Sendable {
    /// The bridge, or the agent that it serves, answered with an error.
    ///
    /// `code` is the protocol's code (`TVX008`) if there is one, and otherwise JSON-RPC's number as text (`-32602`).
    /// `data` is the error's `data`, unchanged.
    case server(code: String, message: String, data: JSONValue?)
    /// The received value does not fit the requested type: `expected Date at data[0].createdAt, found "yesterday"`.
    case decoding(DecodingFault)
    /// The parameters could not be written as JSON.
    case encoding(DecodingFault)
    /// The connection could not be made or was lost. Automatic retries will not help, or have been given up.
    case transport(TransportFailure)
    /// The token is missing, wrong or used up. A new token did not help, or could not be requested.
    case unauthorized
    /// The connection was lost before the answer arrived, so it is unknown if the bridge executed the call. The client
    /// does not repeat the call, because executing it twice could do harm.
    case outcomeUnknown
    /// The unanswered calls exceed the limit in the configuration.
    case overloaded(limitBytes: Int)
    /// A call, its answer or a value was larger than the configuration allows. If it was the answer, the bridge has
    /// executed the call.
    case tooLarge(limitBytes: Int)
    /// The waiting task was cancelled.
    case cancelled
    /// The client was closed by its own program.
    case closed
}

/// The place in a value at which the received JSON did not fit the type.
public struct DecodingFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// `data[0].createdAt`; empty for the outermost value.
    public let path: String
    /// The complete message as one sentence, with the path.
    public let description: String

    public init(path: String, description: String) {
        self.path = path
        self.description = description
    }
}

extension TinyvexError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .server(let code, let message, _):
            code.hasPrefix("-") ? "the bridge answered: \(message)" : "the bridge answered: \(message) (\(code))"
        case .decoding(let fault): "the answer cannot be decoded as the program's type: \(fault)"
        case .encoding(let fault): "the program's parameters cannot be sent: \(fault)"
        case .transport(let failure): "no connection to the bridge: \(failure)\(failure.remedy)"
        case .unauthorized: "the bridge does not accept the token; sign in again, or set a token that is valid there"
        case .outcomeUnknown:
            "the connection was lost before the answer arrived; check whether the call was performed before you repeat it"
        case .overloaded(let limit): "more than \(limit) bytes wait to be sent; send less, or wait"
        case .tooLarge(let limit): "the message or value is larger than the \(limit) bytes that the program allows"
        case .cancelled: "it was cancelled"
        case .closed: "the client was closed"
        }
    }
}

extension TransportFailure {
    /// The part of the description that names who can fix the error.
    fileprivate var remedy: String {
        switch self {
        case .unreachable: "; is the bridge running, and is that its address?"
        case .untrusted: "; use a socket of your own, in a folder that only you can write to"
        case .insecure: "; check the endpoint, or ask the server's operator"
        case .refused: "; ask the endpoint's operator for the reason"
        case .notWebSocket: "; the endpoint does not seem to be a bridge"
        case .invalidEndpoint, .timedOut, .unauthorized, .busy, .messageTooLarge, .closed, .lost, .cancelled: ""
        }
    }
}

extension TinyvexError: Equatable {
    public static func == (left: TinyvexError, right: TinyvexError) -> Bool {
        switch (left, right) {
        case (.server(let code, let message, let data), .server(let otherCode, let otherMessage, let otherData)):
            code == otherCode && message == otherMessage && data?.rawText == otherData?.rawText
        case (.decoding(let fault), .decoding(let other)), (.encoding(let fault), .encoding(let other)): fault == other
        case (.transport(let failure), .transport(let other)): failure == other
        case (.overloaded(let limit), .overloaded(let other)), (.tooLarge(let limit), .tooLarge(let other)):
            limit == other
        case (.unauthorized, .unauthorized), (.outcomeUnknown, .outcomeUnknown), (.cancelled, .cancelled),
            (.closed, .closed):
            true
        default: false
        }
    }
}
