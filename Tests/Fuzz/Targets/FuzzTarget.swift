/// Code that reads what others send, and what must hold of it for any bytes at all.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// The scanners of JSON, which must agree with each other.
    case json
    /// WebSocket messages in both roles, compressed ones too, however they are cut.
    case webSocket = "websocket"
    /// HTTP requests and responses, however they are cut.
    case http
    /// The words behind `acpbridge`.
    case commandLine = "command-line"
    /// A client's messages on `/tinyvex`.
    case tinyvex

    /// Reads the bytes; traps or throws where something is wrong with the reader.
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

/// What did not hold.
public struct Finding: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// `what` is to hold.
    static func unless(_ holds: Bool, _ what: String) throws(Finding) {
        guard holds else { throw Finding(what) }
    }
}
