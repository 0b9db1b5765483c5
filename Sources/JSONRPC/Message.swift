import JSONScan

/// A JSON-RPC 2.0 text, classified. Used on paths that answer messages; forwarding needs only `scanEnvelope`.
///
///     switch Message(value) {
///     case .request(let id, let method, let params): …
public enum Message: Sendable {
    /// Has a method and an id. `"id":null` is an id (section 4), so the message is a request.
    case request(id: RequestID, method: String, params: JSONValue?)
    /// Has a method and no id. It must not be answered.
    case notification(method: String, params: JSONValue?)
    /// Has an id and no method.
    case response(id: RequestID, Outcome)
    /// A non-empty array. Its elements are never batches.
    case batch([Message])
    /// Must be answered with `invalidRequest`, with the message's id if it could be read, and with `null` otherwise.
    case invalid(InvalidMessage, id: RequestID?)

    /// The contents of a response: a result or an error, never both (section 5).
    public enum Outcome: Sendable {
        case result(JSONValue)
        case error(ErrorObject)
    }

    /// Never fails: a message that breaks a rule becomes `invalid`. In a batch, only that element does.
    public init(_ value: JSONValue) {
        guard value.kind == .array else {
            self = Self.single(value)
            return
        }
        let elements = value.elements
        self = elements.isEmpty ? .invalid(.emptyBatch, id: nil) : .batch(elements.map(Self.single))
    }
}

/// The rule of JSON-RPC 2.0 that a message breaks.
public enum InvalidMessage: String, Hashable, Sendable {
    case notAnObject = "a message must be an object"
    case emptyBatch = "a batch must not be empty"
    case wrongVersion = "\"jsonrpc\" must be \"2.0\""
    case invalidID = "\"id\" must be a string, a number or null"
    case invalidMethod = "\"method\" must be a string"
    case invalidParams = "\"params\" must be an object or an array"
    case invalidError = "\"error\" must be an object with an integer code and a string message"
    case missingID = "a response needs an \"id\""
    case neitherRequestNorResponse = "a message needs a \"method\", a \"result\" or an \"error\""
    case bothRequestAndResponse = "a message may have only one of \"method\", \"result\" and \"error\""
    /// Readers disagree on which of the two counts, so a message that one program allows could mean something else to
    /// the next.
    case repeatedMember = "a member name is repeated"
}

extension Message {
    private static func single(_ value: JSONValue) -> Message {
        guard value.kind == .object else { return .invalid(.notAnObject, id: nil) }
        var parts = MessageParts()
        for (name, value) in value.members { parts.note(name, value) }
        let id = parts.id.flatMap(RequestID.init)
        if parts.isRepeated { return .invalid(.repeatedMember, id: nil) }
        guard parts.version?.stringValue == "2.0" else { return .invalid(.wrongVersion, id: id) }
        if parts.id != nil, id == nil { return .invalid(.invalidID, id: nil) }
        switch (parts.method, parts.result, parts.error) {
        case (let method?, nil, nil): return call(id, method, parts.params)
        case (nil, let result?, nil): return response(id, .result(result))
        case (nil, nil, let error?):
            return ErrorObject(error).map { response(id, .error($0)) } ?? .invalid(.invalidError, id: id)
        case (nil, nil, nil): return .invalid(.neitherRequestNorResponse, id: id)
        default: return .invalid(.bothRequestAndResponse, id: id)
        }
    }

    /// `"params":null` counts as no params. JSON-RPC requires an object or array, but many serialisers write `null` for
    /// an absent optional member.
    private static func call(_ id: RequestID?, _ method: JSONValue, _ params: JSONValue?) -> Message {
        guard let method = method.stringValue else { return .invalid(.invalidMethod, id: id) }
        let params = params.flatMap { $0.isNull ? nil : $0 }
        if let params, params.kind != .object, params.kind != .array { return .invalid(.invalidParams, id: id) }
        return id.map { .request(id: $0, method: method, params: params) }
            ?? .notification(method: method, params: params)
    }

    private static func response(_ id: RequestID?, _ outcome: Outcome) -> Message {
        id.map { .response(id: $0, outcome) } ?? .invalid(.missingID, id: nil)
    }
}

/// The members of one message, collected in a single pass over it.
private struct MessageParts {
    var version: JSONValue?
    var id: JSONValue?
    var method: JSONValue?
    var params: JSONValue?
    var result: JSONValue?
    var error: JSONValue?
    var isRepeated = false

    mutating func note(_ name: String, _ value: JSONValue) {
        switch name {
        case "jsonrpc": note(\.version, value)
        case "id": note(\.id, value)
        case "method": note(\.method, value)
        case "params": note(\.params, value)
        case "result": note(\.result, value)
        case "error": note(\.error, value)
        default: break
        }
    }

    private mutating func note(_ part: WritableKeyPath<MessageParts, JSONValue?>, _ value: JSONValue) {
        if self[keyPath: part] != nil { isRepeated = true }
        self[keyPath: part] = value
    }
}
