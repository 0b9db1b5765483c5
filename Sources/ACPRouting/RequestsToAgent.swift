import JSONRPC

/// A request to the agent without an answer yet.
struct OpenRequest: Codable {
    enum Kind: Equatable, Codable {
        case initialize
        case new(cwd: String?)
        case continuing(id: String)
        case prompt(id: String)
        case close(id: String)
        case mode(id: String, mode: String)
        case option(id: String)
        case other
    }
    let asker: RequestRouter.Asker
    let kind: Kind

    /// The session that the request concerns, if it is known.
    var session: String? {
        switch kind {
        case .continuing(let id), .prompt(let id), .close(let id), .mode(let id, _), .option(let id): id
        case .initialize, .new, .other: nil
        }
    }
}

/// The requests to the agent that it has not answered, by the ids that the agent knows. The caller limits their number.
struct RequestsToAgent: Codable {
    private var requests: [RequestID: OpenRequest] = [:]
    /// The sessions for which the agent is repeating the history.
    private(set) var replaying: Set<String> = []
    private let idPrefix: String
    private var idCount = 0

    /// The names in a hand-over's JSON. They stay the names of the first format.
    private enum CodingKeys: String, CodingKey {
        case requests = "open", replaying, idPrefix, idCount
    }

    /// - Parameter idPrefix: The start of every id made here. No client should be able to guess it.
    init(idPrefix: String) { self.idPrefix = idPrefix }

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count }
    /// True if the agent will answer a request that the editor did not send.
    var hasOthersThanEditors: Bool { requests.values.contains { $0.asker != .editor } }

    subscript(_ id: RequestID) -> OpenRequest? { requests[id] }

    /// The id under which the agent knows a sender's request.
    func id(of asker: RequestRouter.Asker) -> RequestID? { requests.first { $0.value.asker == asker }?.key }

    func count(of client: RequestRouter.ClientNumber) -> Int { requests.values.count { $0.asker.isClient(client) } }

    mutating func makeID() -> RequestID {
        idCount += 1
        return RequestID("\(idPrefix)\(idCount)")
    }

    /// Adds a request. An open request with the same id is replaced.
    ///
    /// - Parameter replayed: The session of which the agent repeats the history until it answers.
    mutating func add(_ request: OpenRequest, under id: RequestID, replaying replayed: String?) {
        _ = remove(id)
        requests[id] = request
        if let replayed { replaying.insert(replayed) }
    }

    /// The agent repeats the history of a child together with that of its ancestor. Returns false if that is known.
    mutating func beginReplay(of child: String) -> Bool { replaying.insert(child).inserted }

    mutating func replayCompleted(_ session: String) { replaying.remove(session) }

    /// Takes out the request that the agent has answered.
    mutating func remove(_ id: RequestID) -> OpenRequest? {
        let request = requests.removeValue(forKey: id)
        if case .continuing(let session)? = request?.kind { replaying.remove(session) }
        return request
    }

    mutating func removeAll() -> [OpenRequest] {
        defer { requests = [:] }
        return Array(requests.values)
    }

    /// Drops the answers to the requests of these senders, because the senders have gone.
    mutating func dropAnswers(where hasGone: (RequestRouter.Asker) -> Bool) {
        for (id, request) in requests where hasGone(request.asker) {
            requests[id] = OpenRequest(asker: .nobody, kind: request.kind)
        }
    }
}
