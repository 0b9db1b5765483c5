import Tinyvex

extension QueryName {
    /// What the value changes with, and how often it is looked at anew besides.
    func dependencies(_ params: Parameters) -> (topics: [QueryTopic], refresh: Duration?) {
        switch self {
        case .sessionsList: ([.sessions], nil)
        case .sessionsGet: ([.session(id: (try? SessionReference(params))?.sessionId ?? "")], nil)
        // Memory grows without saying so.
        case .agentsList: ([.agents], .seconds(5))
        case .permissionsPending: ([.permissions], nil)
        case .bridgeStatus: ([], .seconds(1))
        }
    }
}
