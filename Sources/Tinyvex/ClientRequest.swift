import JSONRPC
import JSONScan

/// A decoded request from a client on `/tinyvex`.
public enum ClientRequest: Sendable {
    case connect(ClientInfo)
    case subscribe(SubscribeRequest)
    case unsubscribe(subId: String)
    /// `t` is any value that the client chooses; the response returns it unchanged.
    case ping(t: JSONValue?)
    /// A nil token removes all rights.
    case setToken(String?)
    case recentSessions(RecentSessionsRequest)
    case sessionUpdates(HistoryRequest)
    case mutation(CallRequest)
    case action(CallRequest)

    /// All methods that are served.
    public enum Method: String, Sendable, CaseIterable {
        case connect = "tinyvex/connect"
        case subscribe = "tinyvex/subscribe"
        case unsubscribe = "tinyvex/unsubscribe"
        case ping = "tinyvex/ping"
        case setToken = "tinyvex/auth.setToken"
        case recentSessions = "tinyvex/history.recentSessions"
        case sessionUpdates = "tinyvex/history.sessionUpdates"
        case mutation = "tinyvex/mutation"
        case action = "tinyvex/action"
    }

    /// - Throws: `methodNotFound` for a method that is not part of this protocol, or `invalidParams` with the name
    ///   of the field.
    public static func decode(method: String, params: JSONValue?) throws(Rejection) -> ClientRequest {
        guard let method = Method(rawValue: method) else {
            throw Rejection(.methodNotFound, "unknown method \(quoted(method))")
        }
        let params = Parameters(params)
        switch method {
        case .connect: return .connect(try ClientInfo(params))
        case .subscribe: return .subscribe(try SubscribeRequest(params))
        case .unsubscribe: return .unsubscribe(subId: try params.string("subId"))
        case .ping: return .ping(t: params.value("t"))
        case .setToken: return .setToken(try params.optionalString("token"))
        case .recentSessions: return .recentSessions(try RecentSessionsRequest(params))
        case .sessionUpdates: return .sessionUpdates(try HistoryRequest(params))
        case .mutation: return .mutation(try CallRequest(params, .mutation))
        case .action: return .action(try CallRequest(params, .action))
        }
    }
}

/// The client that connects: `{"client":{"name":"viewer","version":"1.0"},"features":{"chunks":true}}`. All members
/// are optional.
public struct ClientInfo: Sendable {
    public let name: String
    public let version: String
    /// True if the client can join the chunks of large values: see ``TransitionChunk``.
    public let takesChunks: Bool

    init(_ params: Parameters) throws(Rejection) {
        let client = try params.optionalObject("client")
        name = try client?.optionalString("name") ?? "unknown"
        version = try client?.optionalString("version") ?? ""
        takesChunks = try params.optionalObject("features")?.optionalBool("chunks") ?? false
    }
}

/// `tinyvex/mutation` or `tinyvex/action`: `{"requestId":"7","name":"bridge:stop","args":{}}`.
public struct CallRequest: Sendable {
    /// Nil if the message has no id. The call is then never treated as a repetition of another one.
    public let requestId: String?
    public let name: String
    public let arguments: Parameters

    /// The limit exists because the id is stored and sent back.
    package static let requestIdLimitBytes = 256

    public init(requestId: String?, name: String, arguments: Parameters) {
        self.requestId = requestId
        self.name = name
        self.arguments = arguments
    }

    init(_ params: Parameters, _ kind: FunctionDescription.Kind) throws(Rejection) {
        let requestId = try params.string("requestId")
        guard requestId.utf8.count <= Self.requestIdLimitBytes else {
            throw .invalidParams("requestId is longer than \(Self.requestIdLimitBytes) bytes")
        }
        self.requestId = requestId
        do throws(Rejection) {
            name = try params.string("name")
            guard Catalogue.function(kind, name) != nil else { throw Rejection.unknownFunction(kind, name) }
            arguments = try params.optionalObject("args") ?? Parameters(nil)
        } catch {
            var error = error
            error.requestId = requestId
            throw error
        }
    }
}

/// Quotes a name that a peer sent. It is truncated, because the text is sent back in an error.
/// Truncated by scalars, because one `Character` can have any number of them.
public func quoted(_ name: String) -> String {
    let beginning = name.unicodeScalars.prefix(quotedLimit)
    return "\"" + String(beginning) + (beginning.endIndex < name.endIndex ? "…" : "") + "\""
}

private let quotedLimit = 80
