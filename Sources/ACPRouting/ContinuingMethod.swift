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
}
