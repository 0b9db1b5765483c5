import ACPMethods
import JSONScan

extension ACPMethod {
    /// The method with which an agent continues a session that it does not run: `session/resume`, or `session/load` if the
    /// agent has only that; nil if it has neither. Every agent of version 2 has `session/resume`.
    ///
    /// - Parameter result: The agent's answer to `initialize`.
    package static func continuing(afterInitialize result: JSONValue) -> ACPMethod? {
        if let version = result["protocolVersion"]?.int64Value, version >= 2 { return .sessionResume }
        let capabilities = result["agentCapabilities"]
        if let resume = capabilities?["sessionCapabilities"]?["resume"], !resume.isNull { return .sessionResume }
        return capabilities?["loadSession"]?.boolValue == true ? .sessionLoad : nil
    }

    /// True if an agent offers `session/close`. Every agent of version 2 has it.
    ///
    /// - Parameter initializeResult: The agent's answer to `initialize`; nil if it is not known.
    package static func canCloseSessions(initializeResult: [UInt8]?) -> Bool {
        offers("close", initializeResult)
    }

    /// True if an agent offers `session/list`. Every agent of version 2 has it.
    ///
    /// - Parameter initializeResult: The agent's answer to `initialize`; nil if it is not known.
    package static func canListSessions(initializeResult: [UInt8]?) -> Bool { offers("list", initializeResult) }

    private static func offers(_ capability: String, _ initializeResult: [UInt8]?) -> Bool {
        guard let result = initializeResult.flatMap({ try? JSONValue(validating: $0) }) else { return false }
        if let version = result["protocolVersion"]?.int64Value, version >= 2 { return true }
        return result["agentCapabilities"]?["sessionCapabilities"]?[capability].map { !$0.isNull } ?? false
    }
}
