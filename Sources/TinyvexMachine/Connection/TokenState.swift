/// The token and the state of its renewal. A new token is requested once; another request is possible after the bridge
/// has accepted a token.
struct TokenState {
    private(set) var token: String?
    /// True if there is a source of new tokens.
    var canRefresh: Bool
    private(set) var phase = Phase.settled
    /// The program has dropped the token, so no new token is wanted.
    private var isDropped = false

    enum Phase: Equatable {
        /// To: refreshing.
        case settled
        /// A new token has been requested. To: refreshed.
        case refreshing
        /// There is a new token, and the bridge has not accepted it yet. To: settled.
        case refreshed
    }

    enum Verdict: Equatable {
        /// Request a new token.
        case refresh
        /// A new token has already been requested.
        case wait
        /// A new token was already tried, or cannot be requested.
        case end
    }

    init(token: String?, canRefresh: Bool) {
        self.token = token
        self.canRefresh = canRefresh
    }

    mutating func refused() -> Verdict {
        switch phase {
        case .refreshing: return .wait
        case .refreshed: return .end
        case .settled:
            guard canRefresh, !isDropped else { return .end }
            phase = .refreshing
            return .refresh
        }
    }

    /// Returns false if `token` is nil.
    mutating func refreshed(_ token: String?) -> Bool {
        phase = token == nil ? .settled : .refreshed
        if let token { self.token = token }
        return token != nil
    }

    mutating func set(_ token: String?) {
        isDropped = token == nil
        self.token = token
        phase = .settled
    }

    /// The bridge has accepted the token.
    mutating func accepted() { if phase == .refreshed { phase = .settled } }

    /// The renewal has ended for this token; a later attempt can request another.
    mutating func ended() { phase = .settled }
}
