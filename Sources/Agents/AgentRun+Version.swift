import ACPRouting
import FieldLimits
import JSONRPC
import JSONScan
import Tinyvex

extension AgentRun {
    /// The version of ACP that the agent has answered to `initialize`. Nil before its answer, or if the answer has none.
    package var protocolVersion: Int64? {
        sessions?.initializeResult.flatMap { try? JSONValue(validating: $0) }?["protocolVersion"]?.int64Value
    }

    /// True if the agent speaks the version, or if one of the versions is not known. Messages are not converted.
    package func speaks(version: Int64?) -> Bool {
        guard let version, let protocolVersion else { return true }
        return version == protocolVersion
    }

    /// The error for a client of version `version` that asks for a session of this agent. Nil if the agent speaks the version.
    ///
    /// - Parameter joins: True if the client names the session to join it. It has no agent that could continue the session.
    package func versionRefusal(for version: Int64?, of session: String, joins: Bool = false) -> Rejection? {
        guard let version, let own = protocolVersion, own != version else { return nil }
        let load = joins ? "load the session through /acp?agent=\(name)" : "load the session again"
        let advice =
            joins && canRelease(session)
            ? "\(load): the idle agent gives it up"
            : "end that agent with `acpbridge stop \(session.prefix(scalars: 100))` and \(load)"
        return Rejection(
            .unsupportedProtocolVersion,
            "this session's agent speaks version \(own) of ACP, and this client version \(version); "
                + "connect with version \(own), or \(advice)")
    }

    /// The error for a client that loads or resumes a child session of this agent. Nil for other sessions.
    package func childRefusal(for session: String) -> Rejection? {
        sessions?.router.childRefusal(session).map { Rejection(.invalidRequest, $0.message) }
    }
}
