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
        guard lines.isEmpty, ownQuestions == 0, loads.isEmpty else { return nil }
        var result = HandedOver(
            hasInitialized: true, version: version, capabilities: capabilities, own: own.map(Self.state),
            joined: joined.values.map(Self.state),
            asked: asked.map { .init(name: $0, id: $1.id, agent: $1.place.run.pid) }, askedCount: askedCount,
            openings: openings.map {
                .init(request: $0, agent: $1.place.run.pid, session: $1.session, replays: $1.replays)
            }, followed: sessions.compactMap(followed))
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

    private func followed(_ session: Session) -> HandedOver.Followed? {
        let run = host.agents.runs.first { $0.sessions?.sessions[session.id] === session }
        return run.map { .init(agent: $0.pid, session: session.id, next: session.head + 1) }
    }

    // MARK: In the next program

    /// Restores the places that the previous program handed over.
    func restore(_ handedOver: HandedOver) {
        var known: [RequestID: (place: Place, id: RequestID)] = [:]
        (version, capabilities) = (handedOver.version, handedOver.capabilities)
        let own = handedOver.own.flatMap(place)
        let joined = handedOver.joined.compactMap(place)
        let places = [own].compactMap(\.self) + joined
        for asked in handedOver.asked {
            guard let place = places.first(where: { $0.run.pid == asked.agent }) else { continue }
            known[asked.name] = (place, asked.id)
        }
        restorePlaces(
            state: state(of: handedOver), own: own, joined: joined, asked: known, count: handedOver.askedCount)
        for opening in handedOver.openings {
            guard let place = places.first(where: { $0.run.pid == opening.agent }) else { continue }
            openings[opening.request] = Opening(place: place, session: opening.session, replays: opening.replays)
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
        host.registry.whenClaimed { [weak self] in self?.follow(session, from: followed.next) }
    }
}
