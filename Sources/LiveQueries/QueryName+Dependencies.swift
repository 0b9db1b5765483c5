import Tinyvex

extension QueryName {
    /// The data that the value depends on, and the interval at which it is also computed without a reported change.
    func dependencies(_ params: Parameters) -> (topics: [QueryTopic], refresh: Duration?) {
        switch self {
        case .sessionsList: ([.sessions, .permissions], nil)
        // A list of hits stays as it is while it is read.
        case .sessionsSearch: ([], nil)
        // A sum of a year and of all peers is not computed with each update.
        case .usageByDay: ([], .seconds(60))
        case .sessionsGet: ([.session(id: (try? SessionReference(params))?.sessionId ?? "")], nil)
        // Changes in memory use are not reported.
        case .agentsList: ([.agents], .seconds(5))
        case .permissionsPending: ([.permissions], nil)
        // An elicitation about a request is on no timeline, so its changes are not reported.
        case .elicitationsPending: ([.permissions], params.value("requests") == nil ? nil : .seconds(1))
        case .filesGet, .filesList: ([.files], nil)
        case .pushList: ([.registrations], nil)
        case .bridgeStatus: ([], .seconds(1))
        }
    }
}
