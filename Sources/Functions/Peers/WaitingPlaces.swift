import Access
import Tinyvex

/// The places for requests that wait for a change of a session. Pure.
///
/// A client can send such requests without reading an answer, so one user can take only a part of the places, and all users
/// without the role `admin` leave some to the admins.
struct WaitingPlaces {
    private var count = 0
    private var byUser: [User: Int] = [:]

    /// Users of different tenants can have one name.
    private struct User: Hashable {
        let tenant: String?
        let name: String

        init(_ identity: Identity) { (tenant, name) = (identity.tenant, identity.who) }
    }

    /// Each takes some hundred bytes and a timer.
    private static let limit = 10_000
    /// A quarter of the places is for admins.
    private static let commonLimit = 7_500
    /// A peer follows at most 1,000 sessions, and two peers can share a token.
    private static let userLimit = 2_000

    mutating func take(by identity: Identity) throws(Rejection) {
        let user = User(identity)
        let own = byUser[user] ?? 0
        guard own < Self.userLimit, count < (identity.role == .admin ? Self.limit : Self.commonLimit) else {
            let reason = "too many requests wait for changes of sessions"
            throw Rejection(.limitExceeded, reason, rpcCode: .invalidRequest)
        }
        count += 1
        byUser[user] = own + 1
    }

    mutating func free(by identity: Identity) {
        let user = User(identity)
        count -= 1
        guard let own = byUser[user] else { return }
        byUser[user] = own > 1 ? own - 1 : nil
    }
}
