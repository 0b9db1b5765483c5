import JSONRPC
import JSONScan

extension AgentMachine {
    /// A repeated `initialize` cannot change the version after another request.
    mutating func initialize(_ id: RequestID, _ params: Params) throws(Refusal) {
        guard let requested = params["protocolVersion"]?.int64Value, UInt16(exactly: requested) != nil else {
            throw .invalidParams("protocolVersion must be an integer from 0 to 65535")
        }
        let version = ProtocolVersion.negotiated(requested: requested, forced: configuration.forcedVersion)
        guard !hasStarted || version == self.version else {
            throw Refusal(code: .unsupportedVersion, message: "The connection uses version \(self.version.rawValue)")
        }
        // A client that asks for a newer version is read leniently, because its form of `initialize` is unknown.
        if requested == 2, version == .two, params["info"]?["name"]?.kind != .string {
            throw .invalidParams("info must have a name and a version")
        }
        let capabilities = params[version == .one ? "clientCapabilities" : "capabilities"]
        client = ClientCapabilities(capabilities, version: version)
        respond(id) { result in
            result.member("protocolVersion", version.rawValue)
            version == .one ? Self.writeVersionOne(to: &result) : Self.writeVersionTwo(to: &result)
            result.memberArray("authMethods") { _ in }
        }
    }

    private static func writeVersionOne(to result: inout JSONWriter) {
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
        result.memberObject("agentInfo", writeInfo)
    }

    private static func writeVersionTwo(to result: inout JSONWriter) {
        result.memberObject("info", writeInfo)
        result.memberObject("capabilities") { capabilities in
            capabilities.memberObject("session") { session in
                session.memberObject("prompt") { prompt in
                    for name in ["image", "audio", "embeddedContext"] { prompt.memberObject(name) { _ in } }
                }
                session.memberObject("mcp") { $0.memberObject("stdio") { _ in } }
                session.memberObject("delete") { _ in }
            }
        }
    }

    private static func writeInfo(to info: inout JSONWriter) {
        info.member("name", "acpbridge-demo-agent")
        info.member("title", "acpbridge demo agent")
        info.member("version", "1.0.0")
    }
}

extension ErrorCode {
    /// The version of `initialize` cannot be used.
    static let unsupportedVersion = ErrorCode(rawValue: -32022)
}
