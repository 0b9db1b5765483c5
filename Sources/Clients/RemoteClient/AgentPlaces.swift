import ACPRouting
import Agents
import EventLoop

/// A remote client's places with agents: at most one agent of its own, and the agents of the sessions it has joined.
@LoopActor struct AgentPlaces {
    /// The client's place with one agent.
    struct Place {
        let run: AgentRun
        let number: RequestRouter.ClientNumber
    }

    private(set) var own: Place?
    private(set) var joined: [ObjectIdentifier: Place] = [:]

    init(own: Place? = nil, joined: [Place] = []) {
        self.own = own
        for place in joined { self.joined[ObjectIdentifier(place.run)] = place }
    }

    var all: [Place] { [own].compactMap(\.self) + joined.values }

    subscript(run: AgentRun) -> Place? { own?.run === run ? own : joined[ObjectIdentifier(run)] }

    mutating func makeOwn(_ place: Place) {
        own = place
        joined[ObjectIdentifier(place.run)] = nil
    }

    /// Adds a place, unless the agent is the client's own.
    mutating func join(_ place: Place) {
        if own?.run !== place.run { joined[ObjectIdentifier(place.run)] = place }
    }

    /// Returns true if the agent was the client's own.
    mutating func remove(_ run: AgentRun) -> Bool {
        joined[ObjectIdentifier(run)] = nil
        guard own?.run === run else { return false }
        own = nil
        return true
    }
}
