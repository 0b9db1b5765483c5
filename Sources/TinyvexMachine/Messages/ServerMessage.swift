import JSONRPC
import JSONScan

/// A parsed message from a bridge, other than a line of a session's stream.
enum ServerMessage {
    case response(id: Int, Message.Outcome)
    case data(subId: String, StreamValue)
    case chunk(ValuePart)
    case skipped(subId: String, from: Int64, to: Int64, reason: String)
    case ended(subId: String, seq: Int64, StreamEnd)
    case error(subId: String?, code: String, message: String)
    /// A message from the agent that this client drives.
    case agent(AgentMessage)
    /// A message from a later version, or one that the client does not use.
    case other

    init(_ value: JSONValue) {
        switch Message(value) {
        case .response(.number(let raw), let outcome):
            self = Int(raw).map { .response(id: $0, outcome) } ?? .other
        case .request(let id, let method, let params):
            self = .agent(AgentMessage(id: id, method: method, params: params))
        case .notification(let method, let params): self = Self.notification(method, params)
        default: self = .other
        }
    }

    private static func notification(_ method: String, _ params: JSONValue?) -> ServerMessage {
        let known: ServerMessage? =
            switch method {
            case "tinyvex/data": data(params)
            case "tinyvex/transitionChunk": chunk(params)
            case "tinyvex/skipped": skipped(params)
            case "tinyvex/ended": ended(params)
            case "tinyvex/error": error(params)
            case _ where method.hasPrefix("tinyvex/"): nil
            default: .agent(AgentMessage(id: nil, method: method, params: params))
            }
        return known ?? .other
    }

    private static func data(_ params: JSONValue?) -> ServerMessage? {
        guard let params, let subId = params["subId"]?.stringValue, let value = params["value"] else { return nil }
        return .data(subId: subId, StreamValue(seq: params.position("seq") ?? 0, text: Array(value.rawText)))
    }

    private static func chunk(_ params: JSONValue?) -> ServerMessage? {
        guard let params, let subId = params["subId"]?.stringValue, let text = params["chunk"]?.stringValue,
            let part = params.position("part"), let total = params.position("total")
        else { return nil }
        let transitionId = params["transitionId"].map(\.rawString) ?? ""
        return .chunk(
            ValuePart(
                subId: subId, seq: params.position("seq") ?? 0, transitionId: transitionId, part: part, total: total,
                text: text))
    }

    private static func skipped(_ params: JSONValue?) -> ServerMessage? {
        guard let params, let subId = params["subId"]?.stringValue, let from = params.position("fromSeq"),
            let to = params.position("toSeq"), from > 0, from <= to
        else { return nil }
        return .skipped(subId: subId, from: from, to: to, reason: params["reason"]?.stringValue ?? "")
    }

    private static func ended(_ params: JSONValue?) -> ServerMessage? {
        guard let params, let subId = params["subId"]?.stringValue, let seq = params.position("seq") else { return nil }
        let end = StreamEnd(
            reason: params["reason"]?.stringValue ?? "", exitCode: params["exitCode"]?.int64Value,
            signal: params["signal"]?.int64Value)
        return .ended(subId: subId, seq: seq, end)
    }

    private static func error(_ params: JSONValue?) -> ServerMessage? {
        guard let params else { return nil }
        return .error(
            subId: params["subId"]?.stringValue, code: params["code"]?.stringValue ?? "",
            message: params["message"]?.stringValue ?? "")
    }
}

/// A part of a value that arrives in parts (`tinyvex/transitionChunk`).
struct ValuePart {
    let subId: String
    let seq: Int64
    let transitionId: String
    let part: Int64
    let total: Int64
    let text: String
}

extension JSONValue {
    /// A stream number in these params.
    fileprivate func position(_ name: String) -> Int64? { self[name]?.int64Value.map(StreamPosition.clamp) }
}

/// A request or a notification from the agent that a client drives.
package struct AgentMessage: Sendable {
    /// With an id, the message must be answered; nil: a notification.
    package let id: RequestID?
    /// `session/request_permission`
    package let method: String
    package let params: JSONValue?
    /// The connection on which the message arrived. Only this connection accepts the answer.
    var connection = ConnectionID(number: 0)

    init(id: RequestID?, method: String, params: JSONValue?) {
        self.id = id
        self.method = method
        self.params = params
    }
}

extension AgentMessage: Equatable {
    package static func == (left: AgentMessage, right: AgentMessage) -> Bool {
        left.id == right.id && left.method == right.method && left.params?.rawText == right.params?.rawText
    }
}

extension TinyvexError {
    /// Uses the protocol's code if there is one, and JSON-RPC's code otherwise.
    init(_ error: ErrorObject) {
        let code = error.data?["code"]?.stringValue
        self = .server(code: code ?? String(error.code.rawValue), message: error.message, data: error.data)
    }

    /// True if a new token can fix the error.
    var isAboutMissingRights: Bool {
        if case .server("TVX006", _, _) = self { true } else { false }
    }

    var isUnknownSession: Bool {
        if case .server("TVX008", _, _) = self { true } else { false }
    }
}
