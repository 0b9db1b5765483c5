#if TINYVEX_PORTABLE && os(Linux)
    import TinyvexClientPortable
#else
    import TinyvexClient
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The errors of ``ConvexClient``, with the names of Convex's client.
public enum ClientError: Error, Sendable, Equatable {
    /// The function refused the call. `data` is JSON text: the message, as a string.
    ///
    ///     catch ClientError.ConvexError(let data) { message = try JSONDecoder().decode(String.self, from: Data(data.utf8)) }
    ///
    /// An error of a bridge has no other data than its code; ``ConvexClientError/code`` has it.
    case ConvexError(data: String)
    /// The bridge answered with an error that has no code of the protocol.
    case ServerError(msg: String)
    /// The client failed: the connection, the token, or a value that does not fit its type.
    case InternalError(msg: String)

    public init(_ error: TinyvexError) {
        switch error {
        case .server(let code, let message, _) where code.hasPrefix("TVX"):
            self = .ConvexError(data: Self.jsonString(message))
        case .server(_, let message, _): self = .ServerError(msg: message)
        default: self = .InternalError(msg: error.description)
        }
    }

    private static func jsonString(_ text: String) -> String {
        let json = try? JSONEncoder().encode(text)
        return json.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}

/// The description of the error for a person, for `Text(error.localizedDescription)`. It is in English.
extension ClientError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .ConvexError(let data): (try? JSONDecoder().decode(String.self, from: Data(data.utf8))) ?? data
        case .ServerError(let message), .InternalError(let message): message
        }
    }
}

/// The error of ``ConvexClient/query(_:args:)-(_,Encodable)`` and its neighbours, with the members of Convex's HTTP client.
public struct ConvexClientError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// A code of the protocol (`TVX008`), JSON-RPC's number as text, or one of `UNAUTHORIZED`, `NOT_FOUND`,
    /// `VALIDATION_ERROR`, `RATE_LIMITED`, `DECODING_ERROR` and `NETWORK_ERROR`.
    public let code: String
    public let message: String
    /// The earliest time to try again, if the bridge named one.
    public let retryAfter: Date?

    public init(_ error: TinyvexError, now: Date = Date()) {
        message = error.description
        var retryAfter: Date?
        switch error {
        case .server("TVX006", _, _), .unauthorized, .transport(.unauthorized): code = "UNAUTHORIZED"
        case .server("TVX001", _, _), .server("TVX008", _, _), .server("-32601", _, _): code = "NOT_FOUND"
        case .server("TVX002", _, _), .server("-32602", _, _), .encoding: code = "VALIDATION_ERROR"
        case .transport(.busy(let delay)):
            code = "RATE_LIMITED"
            retryAfter = delay.map { now.addingTimeInterval(Double($0.components.seconds)) }
        case .server("TVX012", _, _), .overloaded: code = "RATE_LIMITED"
        case .server(let other, _, _): code = other
        case .decoding: code = "DECODING_ERROR"
        default: code = "NETWORK_ERROR"
        }
        self.retryAfter = retryAfter
    }

    public var description: String { message }
    public var errorDescription: String? { message }
}
