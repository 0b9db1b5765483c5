import ACPMethods
import JSONScan

/// A capability of a client without which an agent must not send certain requests. The raw value is its path in
/// `clientCapabilities` (version 1) or `capabilities` (version 2), as lists show it.
package enum ClientCapability: String, Codable, CaseIterable, Sendable {
    case readTextFile = "fs.readTextFile"
    case writeTextFile = "fs.writeTextFile"
    case terminal
    case formElicitation = "elicitation.form"
    case urlElicitation = "elicitation.url"

    /// The capabilities in the params of an `initialize` request.
    package static func announced(in params: JSONValue?) -> Set<ClientCapability> {
        guard let client = params?["clientCapabilities"] ?? params?["capabilities"] else { return [] }
        return Set(allCases.filter { $0.isAnnounced(in: client) })
    }

    private func isAnnounced(in client: JSONValue) -> Bool {
        switch self {
        case .readTextFile: client["fs"]?["readTextFile"]?.boolValue == true
        case .writeTextFile: client["fs"]?["writeTextFile"]?.boolValue == true
        case .terminal: client["terminal"]?.boolValue == true
        case .formElicitation: client["elicitation"]?["form"]?.kind == .object
        case .urlElicitation: client["elicitation"]?["url"]?.kind == .object
        }
    }

    /// The capability that a client needs for an agent's request. Nil if each client can answer the request.
    ///
    /// - Parameter mode: The member `mode` of an elicitation.
    static func needed(for method: String, mode: String?) -> ClientCapability? {
        switch ACPMethod(named: method) {
        case .fsReadTextFile: .readTextFile
        case .fsWriteTextFile: .writeTextFile
        case .terminalCreate, .terminalOutput, .terminalWaitForExit, .terminalKill, .terminalRelease: .terminal
        case .elicitationCreate where mode == "form": .formElicitation
        case .elicitationCreate where mode == "url": .urlElicitation
        default: nil
        }
    }
}

/// Capabilities that a client which has taken an agent over lacks. The agent was initialized with the capabilities of an
/// earlier client, and no message revokes them.
extension RequestRouter {
    /// The capabilities with which the agent was initialized and that its present primary did not announce, in a fixed
    /// order. Empty without a primary, and if one of the two sets is not known.
    package var missingCapabilities: [ClientCapability] {
        guard let known = agentCapabilities, let announced = primary.flatMap(clients.capabilities(of:)) else {
            return []
        }
        return ClientCapability.allCases.filter { known.contains($0) && !announced.contains($0) }
    }

    /// True if `client` is the primary and cannot serve the request.
    func lacksCapability(_ client: ClientNumber, for request: AgentRequest) -> Bool {
        primary == client && request.neededCapability.map(missingCapabilities.contains) == true
    }

    /// Answers the requests that the primary cannot serve and that no other client has received with `methodNotFound`.
    mutating func refuseUnsupported() -> [Event] {
        let missing = missingCapabilities
        guard !missing.isEmpty else { return [] }
        var events: [Event] = []
        while let index = pending.index(where: { request in
            request.askedClients.isEmpty && request.neededCapability.map(missing.contains) == true
        }) {
            let capability = pending.requests[index].neededCapability?.rawValue ?? ""
            let message =
                "the client that has taken this agent over does not support \(capability), with which the agent was "
                + "initialized; continue without it"
            events += answer(at: index, Reply(error: .methodNotFound, message), by: "missing capability", client: nil)
        }
        return events
    }
}
