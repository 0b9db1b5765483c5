import JSONRPC
import JSONScan

/// What a client may ask on `/tinyvex`, decoded.
public enum ClientRequest: Sendable {
    case connect(ClientInfo)
    case subscribe(SubscribeRequest)
    case unsubscribe(subId: String)
    /// `t` is the client's own, given back as it came.
    case ping(t: JSONValue?)
    case recentSessions(limit: Int)
    case sessionUpdates(HistoryRequest)
    case action(CallRequest)

    /// The sessions that `tinyvex/history.recentSessions` names at most, and unless told otherwise.
    public static let recentSessionsLimit = 10_000
    public static let recentSessionsDefault = 50

    /// - Throws: `methodNotFound` for a method that is not of this protocol, `invalidParams` naming the field.
    public static func decode(method: String, params: JSONValue?) throws(Rejection) -> ClientRequest {
        let params = Parameters(params)
        switch method {
        case "tinyvex/connect": return .connect(try ClientInfo(params))
        case "tinyvex/subscribe": return .subscribe(try SubscribeRequest(params))
        case "tinyvex/unsubscribe": return .unsubscribe(subId: try params.string("subId"))
        case "tinyvex/ping": return .ping(t: params.value("t"))
        case "tinyvex/history.recentSessions":
            let limit = try params.optionalInteger("limit", in: 1...Int64(recentSessionsLimit))
            return .recentSessions(limit: limit.map(Int.init) ?? recentSessionsDefault)
        case "tinyvex/history.sessionUpdates": return .sessionUpdates(try HistoryRequest(params))
        case "tinyvex/action": return .action(try CallRequest(params))
        default: throw Rejection(.methodNotFound, "unknown method \(quoted(method))")
        }
    }
}

/// Who connects: `{"client":{"name":"viewer","version":"1.0"}}`. Both may be missing.
public struct ClientInfo: Sendable {
    public let name: String
    public let version: String

    init(_ params: Parameters) throws(Rejection) {
        let client = try params.optionalObject("client")
        name = try client?.optionalString("name") ?? "unknown"
        version = try client?.optionalString("version") ?? ""
    }
}

/// `tinyvex/action`: `{"requestId":"7","name":"bridge:stop","args":{}}`.
public struct CallRequest: Sendable {
    public let requestId: String
    public let name: String
    public let arguments: Parameters

    init(_ params: Parameters) throws(Rejection) {
        requestId = try params.string("requestId")
        do {
            name = try params.string("name")
            arguments = try params.optionalObject("args") ?? Parameters(nil)
        } catch {
            var error = error
            error.requestId = requestId
            throw error
        }
    }
}

/// Names taken from a peer are cut before they are said back.
public func quoted(_ name: String) -> String { "\"" + (name.count > 80 ? name.prefix(80) + "…" : name[...]) + "\"" }
