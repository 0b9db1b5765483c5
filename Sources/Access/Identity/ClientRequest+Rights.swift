import Tinyvex

extension ClientRequest {
    /// The role that the request needs; nil if a connection without rights can send it. The catalogue lists the roles
    /// that named functions need, and each call checks them.
    private var requiredRole: Role? {
        switch self {
        case .connect, .ping, .setToken: nil
        case .subscribe, .unsubscribe, .recentSessions, .sessionUpdates, .mutation, .action: .observe
        }
    }

    /// - Throws: TVX006 or TVX011: see ``Identity/require(_:)``.
    package func checkRights(_ identity: Identity) throws(Rejection) {
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
