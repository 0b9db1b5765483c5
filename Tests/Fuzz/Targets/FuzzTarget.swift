/// Code that reads data from others, and the properties that it must have for all bytes.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// The JSON scanners, which must agree with each other.
    case json
    /// WebSocket messages in both roles, with and without compression, cut at any place.
    case webSocket = "websocket"
    /// HTTP requests and responses, cut at any place.
    case http
    /// The command-line arguments of `acpbridge`.
    case commandLine = "command-line"
    /// A client's messages on `/tinyvex`.
    case tinyvex

    /// Reads the bytes. Traps or throws when the reader has an error.
    public func check(_ bytes: [UInt8]) throws(Finding) {
        switch self {
        case .json: try JSONCheck.check(bytes)
        case .webSocket: try WebSocketCheck.check(bytes)
        case .http: try HTTPCheck.check(bytes)
        case .commandLine: try CommandLineCheck.check(bytes)
        case .tinyvex: try TinyvexCheck.check(bytes)
        }
    }
}

/// A property that is violated.
public struct Finding: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// Throws a finding when a property is violated. `what` is the property.
    static func unless(_ holds: Bool, _ what: String) throws(Finding) {
        guard holds else { throw Finding(what) }
    }
}
