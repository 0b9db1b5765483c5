import ACPMethods
import Agents
import EventLoop
import JSONRPC
import JSONScan

/// The open requests of agents to one client, by the ids that the client knows. Two agents can use the same id; the
/// client then knows the second request by another one.
@LoopActor struct AskedRequests {
    struct Asked {
        let place: AgentPlaces.Place
        /// The agent's own id of the request.
        let id: RequestID
    }

    private(set) var byName: [RequestID: Asked] = [:]
    /// Counts the ids that were replaced.
    private(set) var renamedCount: Int

    init(_ byName: [RequestID: Asked] = [:], renamedCount: Int = 0) {
        (self.byName, self.renamedCount) = (byName, renamedCount)
    }

    var isEmpty: Bool { byName.isEmpty }

    /// Records an agent's request. Returns its line, with another id if a request of another agent already uses the id.
    mutating func add(_ line: [UInt8], _ id: RequestID, _ value: JSONValue?, of place: AgentPlaces.Place) -> [UInt8] {
        if byName[id] == nil {
            byName[id] = Asked(place: place, id: id)
            return line
        }
        renamedCount += 1
        let name = RequestID("acpbridge-\(renamedCount)")
        byName[name] = Asked(place: place, id: id)
        return value.map { $0.replacing("id", with: name.rawText) } ?? line
    }

    /// Removes the request that an agent's `$/cancel_request` withdraws. Returns the line, with the id by which the
    /// client knows the request. Returns all other lines unchanged.
    mutating func withdraw(_ line: [UInt8], _ value: JSONValue?, of place: AgentPlaces.Place) -> [UInt8] {
        guard let value, value["method"]?.stringValue == ACPMethod.cancelRequest.name, let params = value["params"],
            let id = params["requestId"].flatMap(RequestID.init),
            let name = byName.first(where: { $0.value.id == id && $0.value.place.run === place.run })?.key
        else { return line }
        byName[name] = nil
        guard name != id else { return line }
        return value.replacing("params", with: params.replacing("requestId", with: name.rawText))
    }

    mutating func remove(_ name: RequestID) -> Asked? { byName.removeValue(forKey: name) }

    /// Adds a request again whose answer was refused.
    mutating func restore(_ asked: Asked, as name: RequestID) { byName[name] = asked }

    mutating func removeAll(of run: AgentRun) {
        byName = byName.filter { $0.value.place.run !== run }
    }

    /// - Parameter ids: the agent's own ids.
    mutating func remove(_ ids: Set<RequestID>, of run: AgentRun) {
        byName = byName.filter { $0.value.place.run !== run || !ids.contains($0.value.id) }
    }
}
