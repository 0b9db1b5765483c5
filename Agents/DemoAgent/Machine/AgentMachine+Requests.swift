import JSONRPC
import JSONScan

/// The error response to a request.
struct Refusal: Error, Equatable {
    let code: ErrorCode
    let message: String

    static func invalidParams(_ message: String) -> Refusal { Refusal(code: .invalidParams, message: message) }

    static let methodNotFound = Refusal(code: .methodNotFound, message: "Method not found")
    static let unknownSession = Refusal(code: .resourceNotFound, message: "Session not found")
}

extension AgentMachine {
    mutating func handleRequest(_ id: RequestID, _ method: String, _ params: JSONValue?) {
        do throws(Refusal) {
            guard method == "initialize" || client != nil else {
                throw Refusal(code: .invalidRequest, message: "the first request must be initialize")
            }
            try perform(id, method, Params(params))
        } catch {
            fail(id, error.code, error.message)
        }
    }

    mutating func handleNotification(_ method: String, _ params: JSONValue?) {
        switch method {
        case "session/cancel":
            guard let id = params?["sessionId"]?.stringValue else { return }
            cancelWork(of: id)
            cancelTurn(of: id, .stopped("cancelled"))
        case "$/cancel_request":
            guard let id = params?["requestId"].flatMap(RequestID.init) else { return }
            cancelRequest(id)
        default: break
        }
    }

    private mutating func cancelRequest(_ id: RequestID) {
        if cancelQueuedPrompt(id) { return }
        guard let index = sessions.firstIndex(where: { $0.running?.promptID == id }) else { return }
        cancelForeground(of: index)
        let error = TurnEnd.failed(code: ErrorCode.requestCancelled.rawValue, message: "Request cancelled")
        cancelTurn(of: sessions[index].id, error)
    }

    private mutating func perform(_ id: RequestID, _ method: String, _ params: Params) throws(Refusal) {
        if method != "initialize" { hasStarted = true }
        switch method {
        case "initialize": try initialize(id, params)
        case "session/new": try openSession(id, params)
        case "session/list": try listSessions(id, params)
        case "session/close": try closeSession(id, params)
        case "session/set_config_option": try setOption(id, params)
        default:
            switch version {
            case .one: try performVersionOne(id, method, params)
            case .two: try performVersionTwo(id, method, params)
            }
        }
    }

    private mutating func performVersionOne(_ id: RequestID, _ method: String, _ params: Params) throws(Refusal) {
        switch method {
        case "authenticate": throw .invalidParams("This agent has no authentication methods")
        case "session/load": try loadSession(id, params)
        case "session/resume": try resumeSession(id, params)
        case "session/set_mode": try setMode(id, params)
        case "session/prompt": try prompt(id, params)
        default: throw .methodNotFound
        }
    }

    private mutating func performVersionTwo(_ id: RequestID, _ method: String, _ params: Params) throws(Refusal) {
        switch method {
        case "auth/login", "auth/logout": throw .invalidParams("This agent has no authentication methods")
        case "session/resume": try resumeWithReplay(id, params)
        case "session/delete": try deleteSession(id, params)
        case "session/prompt": try enqueuePrompt(id, params)
        case "terminal/cancel": try cancelEntity(id, .terminal, try params.string("terminalId"), params)
        case "tool_call/cancel": try cancelEntity(id, .toolCall, try params.string("toolCallId"), params)
        default: throw .methodNotFound
        }
    }
}

/// The params of a request, with checks that several methods share.
struct Params {
    private let value: JSONValue?

    init(_ value: JSONValue?) { self.value = value }

    /// A null member is read as absent, as almost everywhere in ACP.
    subscript(name: String) -> JSONValue? {
        value?[name].flatMap { $0.isNull ? nil : $0 }
    }

    func string(_ name: String) throws(Refusal) -> String {
        guard let text = self[name]?.stringValue else { throw .invalidParams("\(name) must be a string") }
        return text
    }

    func array(_ name: String) throws(Refusal) -> [JSONValue] {
        guard let value = self[name], value.kind == .array else { throw .invalidParams("\(name) must be an array") }
        return value.elements
    }

    /// ACP: the working directory must be an absolute path.
    func cwd() throws(Refusal) -> String {
        let path = try string("cwd")
        guard path.hasPrefix("/") else { throw .invalidParams("cwd must be an absolute path") }
        return path
    }
}
