import Access
import EventLoop
import Posix

/// Keeps ``ViewerTable`` up to date, and reports each session in which the viewers have changed.
@LoopActor package final class SessionPresence {
    private var table = ViewerTable()
    private let services: LoopServices
    private var timer: Timer?
    /// Called after the viewers of the session with this id have changed. The owner sets it.
    var changed: @LoopActor (_ sessionId: String) -> Void = { _ in }

    init(services: LoopServices) { self.services = services }

    /// - Parameter name: the name of the viewer's token.
    func viewed(_ place: ViewerTable.Place, by identity: Identity, name: String?) {
        let viewer = SessionViewer(
            who: identity.who, name: name, tenant: identity.tenant, sinceTs: services.time.dateMilliseconds)
        if table.viewed(place, by: viewer, at: services.time.now) { changed(place.sessionId) }
        schedule()
    }

    func viewers(of place: ViewerTable.Place, tenant: String?) -> [SessionViewer] {
        table.viewers(of: place, tenant: tenant)
    }

    private func schedule() {
        guard timer == nil, let expiry = table.nextExpiry else { return }
        timer = services.timers.schedule(after: max(.zero, expiry - services.time.now)) { [weak self] in
            guard let self else { return }
            timer = nil
            for place in table.removeExpired(at: services.time.now) { changed(place.sessionId) }
            schedule()
        }
    }
}
