import JSONRPC

/// The rights of a remote client.
struct ClientRights: Equatable, Codable {
    /// The name that other clients see: `token tk_ab12`, `uid 1000`.
    var name: String
    /// The sessions that the remote client has joined. It also receives their permission requests.
    var sessions: Set<String> = []
    /// The capabilities in the client's `initialize`, if it has taken the agent over. Nil if they are not known.
    var capabilities: Set<ClientCapability>?
}

/// The remote clients of one agent, and the names of the clients for which the bridge sends requests of its own.
struct RemoteClientRights: Codable {
    private var clients: [RequestRouter.ClientNumber: ClientRights] = [:]
    /// The names of the clients for which the bridge sent its open requests, by request number.
    private var requesterNames: [Int: String] = [:]
    /// The remote client that has the role of the editor, if the agent has no editor.
    private(set) var primary: RequestRouter.ClientNumber?

    /// The names in a hand-over's JSON. They stay the names of the first format.
    private enum CodingKeys: String, CodingKey {
        case clients = "guests", requesterNames = "clients", primary
    }

    /// All clients, in the order in which they came.
    var numbers: [RequestRouter.ClientNumber] { clients.keys.sorted() }

    func name(of client: RequestRouter.ClientNumber) -> String? { clients[client]?.name }

    func name(of asker: RequestRouter.Asker) -> String? {
        switch asker {
        case .editor, .nobody: nil
        case .client(let client, _): clients[client]?.name
        case .bridge(let number): requesterNames[number]
        }
    }

    /// True if the client is the primary or has joined one of the sessions.
    func follows(_ client: RequestRouter.ClientNumber, anyOf sessions: [String]) -> Bool {
        primary == client || sessions.contains { clients[client]?.sessions.contains($0) == true }
    }

    /// True if the client receives this request of the agent.
    ///
    /// - Parameter ancestors: The ancestors of the request's session. A client that has joined one of them has joined the
    ///   session.
    func isAsked(_ client: RequestRouter.ClientNumber, _ request: AgentRequest, ancestors: [String]) -> Bool {
        if primary == client { return true }
        guard request.isShared, let session = request.session, let joined = clients[client]?.sessions else {
            return false
        }
        return joined.contains(session) || ancestors.contains(where: joined.contains)
    }

    mutating func add(_ client: RequestRouter.ClientNumber, name: String) {
        clients[client] = ClientRights(name: name)
    }

    mutating func join(_ client: RequestRouter.ClientNumber, _ session: String) {
        clients[client]?.sessions.insert(session)
    }

    func capabilities(of client: RequestRouter.ClientNumber) -> Set<ClientCapability>? { clients[client]?.capabilities }

    mutating func makePrimary(
        _ client: RequestRouter.ClientNumber, announcing capabilities: Set<ClientCapability>?
    ) {
        primary = client
        clients[client]?.capabilities = capabilities
    }

    mutating func remove(_ client: RequestRouter.ClientNumber) {
        clients[client] = nil
        if primary == client { primary = nil }
    }

    /// Keeps the name of the client for which the bridge sends a request, until the request is answered.
    mutating func nameRequester(_ number: Int, _ name: String) { requesterNames[number] = name }

    mutating func forgetRequester(_ number: Int) { requesterNames[number] = nil }
}
