import Access
import EventLoop
import HTTP1
import JSONScan
import NotificationDelivery
import Notifications
import Posix
import Tinyvex

/// The requests by which a page asks for notifications by Web Push.
@LoopActor struct PushResources {
    let notifier: Notifier

    func answer(_ request: Request, _ route: PushRoute, for identity: Identity) -> HTTPAnswer {
        do throws(Rejection) {
            try identity.require(.observe)
            switch route {
            case .key: return HTTPAnswer(response: try key())
            case .subscriptions: return HTTPAnswer(response: try subscribe(request.body, identity))
            case .subscription(let id): return HTTPAnswer(response: unsubscribe(id, identity))
            }
        } catch {
            return HTTPAnswer(response: .error(error.httpStatus, error.message))
        }
    }

    /// `{"key":"B…"}`: the `applicationServerKey`, in Base64url.
    private func key() throws(Rejection) -> Response {
        let key: [UInt8]?
        do { key = try notifier.pushPublicKey() } catch {
            throw Rejection(.internalError, "Web Push cannot be used: \(error)")
        }
        guard let key else { return .error(404, Self.unconfigured) }
        return .json(JSONWriter.object { $0.member("key", Base64URL.encode(key)) })
    }

    /// Takes a `PushSubscription` of a browser. `{"id":"…"}`
    private func subscribe(_ body: [UInt8], _ identity: Identity) throws(Rejection) -> Response {
        guard let push = notifier.settings.push else { return .error(404, Self.unconfigured) }
        let subscription = try PushSubscription(
            Parameters(try JSONBody.object(body)), push: push, tokenId: identity.tokenId, tenant: identity.tenant)
        try notifier.subscribe(subscription)
        return .json(JSONWriter.object { $0.member("id", subscription.id) })
    }

    private func unsubscribe(_ id: String, _ identity: Identity) -> Response {
        let isEnded = notifier.unsubscribe(id) { identity.owns(tokenId: $0.tokenId, tenant: $0.tenant) }
        return isEnded
            ? .json(JSONWriter.object { $0.member("id", id) }) : .error(404, "There is no such subscription.")
    }

    private static let unconfigured = "Web Push is not configured: see `acpbridge help notify`."
}
