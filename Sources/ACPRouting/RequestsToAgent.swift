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

extension OpenRequest {
    /// True for a request to load or resume a session.
    fileprivate var isContinuing: Bool { if case .continuing = kind { true } else { false } }
}

/// The requests to the agent that it has not answered, by the ids that the agent knows. The caller limits their number.
struct RequestsToAgent: Codable {
    private var requests: [RequestID: OpenRequest] = [:]
    /// The requests of an editor that has sent them under the ids of open ones, in their order. The agent's first answer
    /// to an id belongs to the first request, and each later one to the next. Nil if there are none.
    private var repeated: [RequestID: [OpenRequest]]?
    /// The sessions for which the agent is repeating the history.
    private(set) var replaying: Set<String> = []
    private let idPrefix: String
    private var idCount = 0

    /// The names in a hand-over's JSON. They stay the names of the first format.
    private enum CodingKeys: String, CodingKey {
        case requests = "open", repeated, replaying, idPrefix, idCount
    }

    /// - Parameter idPrefix: The start of every id made here. No client should be able to guess it.
    init(idPrefix: String) { self.idPrefix = idPrefix }

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count + (repeated?.values.reduce(0) { $0 + $1.count } ?? 0) }
    /// True if the agent will answer a request that the editor did not send.
    var hasOthersThanEditors: Bool { requests.values.contains { $0.asker != .editor } }

    subscript(_ id: RequestID) -> OpenRequest? { requests[id] }

    /// The id under which the agent knows a sender's request.
    func id(of asker: RequestRouter.Asker) -> RequestID? { requests.first { $0.value.asker == asker }?.key }

    /// True while a request to load or resume a session has no answer.
    var isContinuingAny: Bool { contains(where: \.isContinuing) }

    /// True while a request to load or resume the session has no answer.
    func isContinuing(_ session: String) -> Bool {
        contains { $0.kind == .continuing(id: session) }
    }

    func contains(where isWanted: (OpenRequest) -> Bool) -> Bool {
        requests.values.contains(where: isWanted)
            || repeated?.values.contains { $0.contains(where: isWanted) } == true
    }

    func count(of client: RequestRouter.ClientNumber) -> Int { requests.values.count { $0.asker.isClient(client) } }

    mutating func makeID() -> RequestID {
        idCount += 1
        return RequestID("\(idPrefix)\(idCount)")
    }

    /// Adds a request. If one with the same id is open, the agent will answer that one first.
    ///
    /// - Parameter replayed: The session of which the agent repeats the history until it answers.
    mutating func add(_ request: OpenRequest, under id: RequestID, replaying replayed: String?) {
        if requests[id] == nil { requests[id] = request } else { repeated = later(adding: request, under: id) }
        if let replayed { replaying.insert(replayed) }
    }

    /// The agent repeats the history of a child together with that of its ancestor. Returns false if that is known.
    mutating func beginReplay(of child: String) -> Bool { replaying.insert(child).inserted }

    mutating func replayCompleted(_ session: String) { replaying.remove(session) }

    private func later(adding request: OpenRequest, under id: RequestID) -> [RequestID: [OpenRequest]] {
        (repeated ?? [:]).merging([id: [request]], uniquingKeysWith: +)
    }

    /// Takes out the request that the agent has answered.
    mutating func remove(_ id: RequestID) -> OpenRequest? {
        let request = requests.removeValue(forKey: id)
        if repeated != nil { requests[id] = removeRepeated(id) }
        if case .continuing(let session)? = request?.kind { replaying.remove(session) }
        return request
    }

    /// Takes out the oldest request that was sent under the id of another one.
    private mutating func removeRepeated(_ id: RequestID) -> OpenRequest? {
        guard let later = repeated?[id], let next = later.first else { return nil }
        repeated?[id] = later.count > 1 ? Array(later.dropFirst()) : nil
        if repeated?.isEmpty == true { repeated = nil }
        return next
    }

    mutating func removeAll() -> [OpenRequest] {
        defer { (requests, repeated) = ([:], nil) }
        return Array(requests.values) + (repeated?.values.flatMap(\.self) ?? [])
    }

    /// Drops the answers to the requests of these senders, because the senders have gone.
    mutating func dropAnswers(where hasGone: (RequestRouter.Asker) -> Bool) {
        for (id, request) in requests where hasGone(request.asker) {
            requests[id] = OpenRequest(asker: .nobody, kind: request.kind)
        }
        repeated = repeated?.mapValues { later in
            later.map { hasGone($0.asker) ? OpenRequest(asker: .nobody, kind: $0.kind) : $0 }
        }
    }
}
