import JSONRPC

/// The agent's unanswered requests, in order.
///
/// Their number and size are limited. An agent without an editor has its oldest requests refused; further requests to a
/// connected editor are not recorded, and only the editor can answer them. A further request to one remote client is refused.
struct PendingRequests: Codable {
    private(set) var requests: [AgentRequest] = []
    /// The ids of the requests, so that a new id is found without a search.
    private var ids: Set<RequestID> = []
    /// The total size of the requests' lines.
    private var lineBytes = 0
    /// The total size of the requests.
    private var byteCount = 0
    /// Requests that another client answered before the editor. The editor's own answers, which are still to come, are
    /// withheld. The value is a count, because an agent can use an id again.
    private var staleAnswers: [RequestID: Int] = [:]
    /// The number of requests added so far. Nil in the state of an older bridge, which did not count them.
    private var addedCount: Int?

    /// The names in a hand-over's JSON. They stay the names of the first format.
    private enum CodingKeys: String, CodingKey {
        case requests = "asked", staleAnswers, addedCount = "askedCount"
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for request in try container.decode([AgentRequest].self, forKey: .requests) { append(request) }
        staleAnswers = try container.decode([RequestID: Int].self, forKey: .staleAnswers)
        addedCount = try container.decodeIfPresent(Int.self, forKey: .addedCount)
    }

    /// 8 MiB: the maximum size of all request lines that are kept for clients that join later, while the editor has
    /// the requests. Above it, further requests are recorded without their lines.
    static let linesLimitBytes = 8 << 20
    /// 64 MiB, the longest line of an agent: the maximum size of all requests. A single request can be longer.
    static let limitBytes = 64 << 20

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count }
    /// The permission requests that the agent has not withdrawn.
    var permissions: [AgentRequest] { requests.filter { $0.isPermission && $0.isPending } }
    /// The elicitations that the agent has not withdrawn.
    var elicitations: [AgentRequest] {
        requests.filter { ($0.isElicitation || $0.isRequestElicitation) && $0.isWithdrawn != true }
    }
    /// True if a client has cancelled the work of a request, and the agent has not withdrawn it.
    var hasCancelled: Bool { requests.contains { $0.cancelledAt != nil } }
    /// True if the agent waits for the answer to a request that it has withdrawn.
    var hasWithdrawn: Bool { requests.contains { $0.isWithdrawn == true } }

    func hasRoom(forLineBytes count: Int) -> Bool { lineBytes + count <= Self.linesLimitBytes }

    /// True if no further request to a connected editor is recorded.
    var isFull: Bool { count >= RequestRouter.openRequestsLimit || byteCount > Self.limitBytes }
    /// True if the oldest requests must be refused while no editor is connected.
    var isOverLimit: Bool { count > RequestRouter.openRequestsLimit || (count > 1 && byteCount > Self.limitBytes) }

    func first(under id: RequestID) -> AgentRequest? { requests.first { $0.id == id } }

    func index(where matches: (AgentRequest) -> Bool) -> Int? { requests.firstIndex(where: matches) }

    /// Returns the number of the agent's next request.
    mutating func makeNumber() -> Int {
        let number = (addedCount ?? 0) + 1
        addedCount = number
        return number
    }

    /// Adds a request. A request with the same id is replaced.
    mutating func add(_ request: AgentRequest) {
        if ids.contains(request.id) { removeAll { $0.id == request.id } }
        append(request)
    }

    private mutating func append(_ request: AgentRequest) {
        lineBytes += request.line.count
        byteCount += request.byteCount
        ids.insert(request.id)
        requests.append(request)
    }

    mutating func remove(at index: Int) -> AgentRequest {
        let request = requests.remove(at: index)
        ids.remove(request.id)
        lineBytes -= request.line.count
        byteCount -= request.byteCount
        return request
    }

    /// Marks a request as withdrawn by the agent.
    mutating func withdraw(at index: Int) {
        requests[index].isWithdrawn = true
        requests[index].cancelledAt = nil
    }

    /// Records or clears the time at which a client has cancelled the work of the matching requests.
    mutating func setCancelled(at time: Int64?, where matches: (AgentRequest) -> Bool) {
        for index in requests.indices where matches(requests[index]) { requests[index].cancelledAt = time }
    }

    mutating func removeAll(where matches: (AgentRequest) -> Bool) {
        while let index = requests.firstIndex(where: matches) { _ = remove(at: index) }
    }

    /// Records that a client receives the matching requests. Returns those that it has not received before.
    mutating func ask(
        _ client: RequestRouter.ClientNumber, where matches: (AgentRequest) -> Bool = { _ in true }
    ) -> [AgentRequest] {
        requests.indices.filter { matches(requests[$0]) && requests[$0].askedClients.insert(client).inserted }
            .map { requests[$0] }
    }

    mutating func clientLeft(_ client: RequestRouter.ClientNumber) {
        for index in requests.indices { requests[index].askedClients.remove(client) }
    }

    // MARK: Answers of the editor that come too late

    var expectsStaleAnswers: Bool { !staleAnswers.isEmpty }

    func isStaleAnswer(_ id: RequestID) -> Bool { staleAnswers[id] != nil }

    mutating func expectStaleAnswer(_ id: RequestID) { staleAnswers[id, default: 0] += 1 }

    /// Returns true if the editor's answer comes too late. It is then not expected again.
    mutating func consumeStaleAnswer(_ id: RequestID) -> Bool {
        guard let count = staleAnswers[id] else { return false }
        staleAnswers[id] = count > 1 ? count - 1 : nil
        return true
    }

    mutating func forgetStaleAnswers() { staleAnswers = [:] }
}
