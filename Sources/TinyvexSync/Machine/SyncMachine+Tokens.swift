extension SyncMachine {
    mutating func setToken(_ token: String?) {
        guard token != tokens.token else { return }
        tokens.set(token)
        switch link {
        case .open: sendToken()
        case .authorizing: connect()
        case .idle, .waiting, .connecting, .closed: break
        }
    }

    mutating func sendToken() { send(for: .setToken) { [token = tokens.token] in ClientText.setToken(id: $0, token) } }

    /// The bridge let us not in.
    mutating func tokenRefusedAtDoor() {
        switch askForToken() {
        case true: link = .authorizing
        case false: end(.unauthorized)
        }
    }

    /// True when a new token is on its way; false when there is none to be had, or it has been tried.
    mutating func askForToken() -> Bool {
        switch tokens.refused() {
        case .refresh:
            act(.refreshToken)
            return true
        case .wait: return true
        case .end: return false
        }
    }

    mutating func tokenRefreshed(_ token: String?) {
        guard tokens.phase == .refreshing else { return }
        let hasToken = tokens.refreshed(token)
        switch link {
        case .authorizing: if hasToken { connect() } else { end(.unauthorized) }
        case .open: if hasToken { sendToken() }
        case .idle, .waiting, .connecting, .closed: break
        }
    }
}
