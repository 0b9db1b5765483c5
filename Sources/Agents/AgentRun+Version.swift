import ACPRouting
import JSONRPC
import JSONScan
import Tinyvex

extension AgentRun {
    /// The version of ACP that the agent has answered to `initialize`. Nil before its answer, or if the answer has none.
    package var protocolVersion: Int64? {
        sessions?.initializeResult.flatMap { try? JSONValue(validating: $0) }?["protocolVersion"]?.int64Value
    }

    /// The error for a client of version `version` that asks for a session of this agent. Nil if both speak the same
    /// version, or if one of the versions is not known. Messages are not converted.
    package func versionRefusal(for version: Int64?) -> Rejection? {
        guard let version, let own = protocolVersion, own != version else { return nil }
        let message =
            "this session's agent speaks version \(own) of ACP, and this client version \(version); "
            + "connect with version \(own), or end that agent with `acpbridge stop SESSION` and load the session again"
        return Rejection(.unsupportedProtocolVersion, message)
    }

    /// The error for a client that loads or resumes a child session of this agent. Nil for other sessions.
    package func childRefusal(for session: String) -> Rejection? {
        sessions?.router.childRefusal(session).map { Rejection(.invalidRequest, $0.message) }
    }
}
