import JSONRPC
import JSONScan

/// The error response to a request.
struct Refusal: Error, Equatable {
    let code: ErrorCode
    let message: String

    static func invalidParams(_ message: String) -> Refusal { Refusal(code: .invalidParams, message: message) }

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
            cancelTurn(of: id, .stopped("cancelled"))
        case "$/cancel_request":
            guard let id = params?["requestId"].flatMap(RequestID.init) else { return }
            guard let session = sessions.first(where: { $0.running?.promptID == id }) else { return }
            cancelTurn(of: session.id, .failed(code: ErrorCode.requestCancelled.rawValue, message: "Request cancelled"))
        default: break
        }
    }

    private mutating func perform(_ id: RequestID, _ method: String, _ params: Params) throws(Refusal) {
        switch method {
        case "initialize": try initialize(id, params)
        case "authenticate": throw .invalidParams("This agent has no authentication methods")
        case "session/new": try openSession(id, params)
        case "session/load": try loadSession(id, params)
        case "session/resume": try resumeSession(id, params)
        case "session/list": try listSessions(id, params)
        case "session/close": try closeSession(id, params)
        case "session/set_mode": try setMode(id, params)
        case "session/set_config_option": try setOption(id, params)
        case "session/prompt": try prompt(id, params)
        default: throw Refusal(code: .methodNotFound, message: "Method not found")
        }
    }

    private mutating func initialize(_ id: RequestID, _ params: Params) throws(Refusal) {
        // The agent supports one version only, and answers with it for any version of the client.
        guard let version = params["protocolVersion"]?.int64Value, UInt16(exactly: version) != nil else {
            throw .invalidParams("protocolVersion must be an integer from 0 to 65535")
        }
        client = ClientCapabilities(params["clientCapabilities"])
        respond(id) { result in
            result.member("protocolVersion", 1)
            result.memberObject("agentCapabilities") { capabilities in
                capabilities.member("loadSession", true)
                capabilities.memberObject("promptCapabilities") {
                    $0.member("image", true)
                    $0.member("audio", true)
                    $0.member("embeddedContext", true)
                }
                capabilities.memberObject("mcpCapabilities") { _ in }
                capabilities.memberObject("sessionCapabilities") { sessions in
                    for name in ["list", "resume", "close"] { sessions.memberObject(name) { _ in } }
                }
            }
            result.memberObject("agentInfo") {
                $0.member("name", "acpbridge-demo-agent")
                $0.member("title", "acpbridge demo agent")
                $0.member("version", "1.0.0")
            }
            result.memberArray("authMethods") { _ in }
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
