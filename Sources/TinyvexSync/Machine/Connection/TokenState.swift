/// The token, and how often a new one has been asked for: once, until the bridge has taken one.
struct TokenState {
    private(set) var token: String?
    /// There is someone to ask for a new one.
    var canRefresh: Bool
    private(set) var phase = Phase.settled
    /// Its program has dropped the token: no new one is wanted.
    private var isDropped = false

    enum Phase: Equatable {
        /// To: refreshing.
        case settled
        /// A new one has been asked for. To: refreshed.
        case refreshing
        /// There is a new one, and the bridge has not taken it yet. To: settled.
        case refreshed
    }

    enum Verdict: Equatable {
        /// Ask for a new one.
        case refresh
        /// It has been asked for.
        case wait
        /// It has been tried, or there is nobody to ask.
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

    /// False when there is none.
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

    /// The bridge has taken it.
    mutating func accepted() { if phase == .refreshed { phase = .settled } }

    /// It is over with this one; a later attempt may ask again.
    mutating func ended() { phase = .settled }
}
