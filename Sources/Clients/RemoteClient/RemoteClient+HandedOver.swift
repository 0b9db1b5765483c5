import ACPRouting
import JSONRPC
import JSONScan
import SessionStreams

/// The hand-over state of a client's places with its agents.
extension RemoteClient {
    struct HandedOver: Codable {
        struct PlaceState: Codable {
            /// The agent's process id.
            var agent: Int32
            var number: RequestRouter.ClientNumber
        }

        struct Asked: Codable {
            var name: RequestID
            var id: RequestID
            var agent: Int32
        }

        struct Opening: Codable {
            var request: RequestID
            var agent: Int32
            var session: String?
            var replays: Bool
        }

        /// A session that the client follows without a subscription.
        struct Followed: Codable {
            var agent: Int32
            var session: String
            /// The number of the next update to send.
            var next: Int64
        }

        var hasInitialized: Bool
        /// The version of ACP in the client's `initialize`. Nil in the state of a bridge that did not compare versions.
        var version: Int64?
        /// The capabilities in the client's `initialize`. Nil in the state of a bridge that did not compare them.
        var capabilities: Set<ClientCapability>?
        /// The parameters of the client's `initialize` request, if it has no agent yet.
        var undecided: [UInt8]?
        var own: PlaceState?
        var joined: [PlaceState]
        var asked: [Asked]
        var askedCount: Int
        var openings: [Opening]
        var followed: [Followed]
    }

    /// Returns nil while a message is in transit.
    func handedOver(following sessions: [Session]) -> HandedOver? {
        guard !isAnswering else { return nil }
        var result = HandedOver(
            hasInitialized: true, version: announced.version, capabilities: announced.capabilities,
            own: places.own.map(Self.state),
            joined: places.joined.values.map(Self.state),
            asked: asked.byName.map { .init(name: $0, id: $1.id, agent: $1.place.run.pid) },
            askedCount: asked.renamedCount,
            openings: followed.openings.map {
                .init(request: $0, agent: $1.run.pid, session: $1.session, replays: $1.replays)
            }, followed: sessions.compactMap(state(of:)))
        switch state {
        case .new: result.hasInitialized = false
        case .undecided(let initialize): result.undecided = initialize.map { Array($0.rawText) } ?? Array("null".utf8)
        case .starting, .ended, .closed: return nil
        case .running: break
        }
        return result
    }

    private static func state(_ place: Place) -> HandedOver.PlaceState {
        .init(agent: place.run.pid, number: place.number)
    }

    private func state(of session: Session) -> HandedOver.Followed? {
        host.agents.run(of: session).map { .init(agent: $0.pid, session: session.id, next: session.head + 1) }
    }

    // MARK: In the next program

    /// Restores the places that the previous program handed over.
    func restore(_ handedOver: HandedOver) {
        announced = Announced(version: handedOver.version, capabilities: handedOver.capabilities)
        let places = AgentPlaces(
            own: handedOver.own.flatMap(place), joined: handedOver.joined.compactMap(place))
        let all = places.all
        var known: [RequestID: AskedRequests.Asked] = [:]
        for asked in handedOver.asked {
            guard let place = all.first(where: { $0.run.pid == asked.agent }) else { continue }
            known[asked.name] = .init(place: place, id: asked.id)
        }
        restore(state(of: handedOver), places, AskedRequests(known, renamedCount: handedOver.askedCount))
        for opening in handedOver.openings {
            guard let run = all.first(where: { $0.run.pid == opening.agent })?.run else { continue }
            followed.restore(
                .init(run: run, session: opening.session, replays: opening.replays), of: opening.request)
        }
        for followed in handedOver.followed { follow(followed) }
    }

    private func state(of handedOver: HandedOver) -> State {
        guard handedOver.hasInitialized else { return .new }
        guard let params = handedOver.undecided else { return .running }
        return .undecided(initialize: (try? JSONValue(validating: params)).flatMap { $0.isNull ? nil : $0 })
    }

    private func place(_ state: HandedOver.PlaceState) -> Place? {
        host.agents.run(pid: state.agent).map { Place(run: $0, number: state.number) }
    }

    private func follow(_ followed: HandedOver.Followed) {
        guard let session = host.agents.run(pid: followed.agent)?.sessions?.sessions[followed.session] else {
            return
        }
        host.registry.whenClaimed { [weak self] in self?.followed.follow(session, from: followed.next) }
    }
}
