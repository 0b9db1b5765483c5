import Tinyvex

extension ClientRequest {
    /// What a connection without rights may still ask. What named functions need stands in the catalogue, and is
    /// checked where they are called.
    private var requiredRole: Role? {
        switch self {
        case .connect, .ping, .setToken: nil
        case .subscribe, .unsubscribe, .recentSessions, .sessionUpdates, .mutation, .action: .observe
        }
    }

    /// - Throws: TVX006 or TVX011, as ``Identity/require(_:)`` says.
    func checkRights(_ identity: Identity) throws(Rejection) {
        guard let requiredRole else { return }
        do throws(Rejection) {
            try identity.require(requiredRole)
        } catch {
            var error = error
            switch self {
            case .subscribe(let request): error.subId = request.subId
            case .unsubscribe(let subId): error.subId = subId
            case .mutation(let call), .action(let call): error.requestId = call.requestId
            default: break
            }
            throw error
        }
    }
}
