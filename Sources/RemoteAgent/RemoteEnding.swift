import JSONScan
import TinyvexTransport

/// The end of a conversation with a remote agent.
package enum RemoteEnding: Error, Sendable, Equatable {
    /// The editor has disconnected, and no messages or answers are outstanding.
    case left
    case agentExited(code: Int32)
    case agentKilled(signal: Int32)
    /// A sentence for the user of the editor.
    case failed(String)
}

extension RemoteEnding: CustomStringConvertible {
    package var description: String {
        switch self {
        case .left: "the editor has left"
        case .agentExited(let code): "the agent has exited with status \(code)"
        case .agentKilled(let signal): "the agent was ended by signal \(signal)"
        case .failed(let reason): reason
        }
    }
}

extension RemoteEnding {
    /// Nil if another attempt can help.
    init?(_ failure: TransportFailure) {
        switch failure {
        case .unreachable, .timedOut, .busy, .lost, .cancelled: return nil
        case .closed(let code, let reason): self.init(closedWith: code, reason)
        // A proxy answers for a bridge that is temporarily unavailable.
        case .refused(let status, _) where (502...504).contains(status): return nil
        case .invalidEndpoint, .untrusted, .insecure, .unauthorized, .refused, .notWebSocket,
            .messageTooLarge:
            self = .failed(failure.description)
        }
    }

    /// A bridge that stops or restarts can be back in a moment, so 1001 and 1012 return nil. Any other close is
    /// permanent.
    private init?(closedWith code: UInt16?, _ reason: String) {
        if code == 1001 || code == 1012 { return nil }
        let end = try? JSONValue(validating: Array(reason.utf8))
        if let status = end?["exitCode"]?.int64Value {
            self = .agentExited(code: Int32(truncatingIfNeeded: status))
        } else if let signal = end?["signal"]?.int64Value {
            self = .agentKilled(signal: Int32(truncatingIfNeeded: signal))
        } else {
            self = .failed(TransportFailure.closed(code: code, reason: reason).description)
        }
    }
}
