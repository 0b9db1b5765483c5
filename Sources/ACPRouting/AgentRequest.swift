import ACPMethods
import JSONRPC
import JSONScan

/// A request from the agent that has not been answered.
package struct AgentRequest: Equatable, Codable {
    package let id: RequestID
    let method: String
    package let session: String?
    /// The line as the agent wrote it. Empty if it was too long to be kept.
    let line: [UInt8]
    /// The params of a permission request, in the form of ``PermissionParams``.
    package let params: [UInt8]
    /// Milliseconds since 1970.
    package let since: Int64
    /// The ids of a permission request's options.
    let options: Set<String>
    var askedClients: Set<RequestRouter.ClientNumber> = []
    /// The request's number in the order of the agent's requests. Nil in the state of an older bridge, which did not
    /// count them.
    package var number: Int?
    /// True after the agent has withdrawn the request by `$/cancel_request`. It still waits for one answer.
    var isWithdrawn: Bool?
    /// The time of a client's `session/cancel` in version 2 of ACP, in milliseconds since 1970. The agent is expected to
    /// withdraw the request.
    var cancelledAt: Int64?
    /// True for an elicitation about a remote client's own request. The editor and other clients do not receive it.
    var isForOneClient: Bool?

    /// The names in a hand-over's JSON. They stay the names of the first format.
    private enum CodingKeys: String, CodingKey {
        case id, method, session, line, params, since, options, askedClients = "askedGuests", number,
            isWithdrawn = "withdrawn", cancelledAt, isForOneClient
    }

    var isPermission: Bool { method == ACPMethod.sessionRequestPermission.name }

    /// True for an elicitation about a session.
    var isElicitation: Bool { method == ACPMethod.elicitationCreate.name && session != nil }

    /// True for an elicitation about a request, such as a login. Only the request's sender receives it; any client with
    /// the right to control the agent can see it in lists and answer it.
    var isRequestElicitation: Bool { method == ACPMethod.elicitationCreate.name && session == nil }

    /// True if each client with the right to control the session receives the request.
    var isShared: Bool { isPermission || isElicitation }

    /// True if the request waits for the decision of a person.
    var isPending: Bool { isShared && isWithdrawn != true }

    /// The capability that a client needs for this request. Nil if each client can answer it.
    var neededCapability: ClientCapability? {
        let mode = method == ACPMethod.elicitationCreate.name ? (try? JSONValue(validating: params))?["mode"] : nil
        return ClientCapability.needed(for: method, mode: mode?.stringValue)
    }

    /// True if only a primary can answer the request and no client has received it.
    var isUnserved: Bool { !isPermission && askedClients.isEmpty }

    /// The size of the parts that an agent can make long.
    var byteCount: Int { options.reduce(line.count + params.count) { $0 + $1.utf8.count } }

    /// The answer to a request that is cancelled. It is an error for a request that has no such result.
    var cancelledReply: Reply {
        if isPermission { return Reply(result: Array(#"{"outcome":{"outcome":"cancelled"}}"#.utf8)) }
        if method == ACPMethod.elicitationCreate.name { return Reply(result: Array(#"{"action":"cancel"}"#.utf8)) }
        return Reply(error: .requestCancelled, "the request was cancelled")
    }

    /// Throws unless the request can have this answer. For a permission request this is
    /// `{"outcome":{"outcome":"cancelled"}}`, or `{"outcome":{"outcome":"selected","optionId":"allow"}}` with an option
    /// that was offered.
    func check(_ reply: Reply) throws(PermissionFault) {
        if isElicitation || isRequestElicitation { return try ElicitationAnswer.check(reply.result, params: params) }
        guard let result = reply.result, let outcome = (try? JSONValue(validating: result))?["outcome"] else {
            throw .malformed
        }
        switch outcome["outcome"]?.stringValue {
        case "cancelled": return
        case "selected":
            guard let option = outcome["optionId"]?.stringValue else { throw .malformed }
            guard options.contains(option) else { throw .optionNotOffered(option) }
        default: throw .malformed
        }
    }
}

/// The reason why an answer to a permission request or an elicitation is rejected.
package enum PermissionFault: Error, Equatable {
    /// The request was answered before, or was never sent.
    case notPending
    case optionNotOffered(String)
    case malformed
    /// An answer to an elicitation has another form than ACP defines, or lacks a required field.
    case invalidElicitation(String)
}
