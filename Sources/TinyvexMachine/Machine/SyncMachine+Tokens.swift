extension SyncMachine {
    /// The newest token, also if the bridge has not received it yet.
    package var currentToken: String? { tokens.token }

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

    /// The bridge has refused the connection because of the token.
    mutating func tokenRefusedAtDoor() {
        if askForToken() {
            link = .authorizing
        } else {
            if tokens.phase == .refreshed { act(.newTokenRefused) }
            end(.unauthorized)
        }
    }

    /// Returns true if a new token has been requested. Returns false if a new token cannot be requested, or was already
    /// tried.
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
