import Agents
import EventLoop
import SessionRecords

/// Since when sessions wait for a person: the time of the oldest open request of each. Requests without a session are left out.
struct WaitingTimes {
    /// Milliseconds since 1970, by the session's place among those of this bridge.
    private var times: [Int64: Int64] = [:]

    init() {}

    /// The times of this bridge's own sessions.
    @LoopActor init(_ runs: [AgentRun]) {
        for run in runs {
            for request in run.pendingPermissions { add(request.journal, at: request.askedTs) }
            for request in run.pendingElicitations { add(request.session?.journal, at: request.createdTs) }
        }
    }

    /// - Parameter place: the place of a journal's session; by default that in the log of this bridge.
    mutating func add(_ journal: String?, at time: Int64, place: (Journal) -> Int64 = { $0.sid }) {
        guard let sid = journal.flatMap(Journal.init).map(place) else { return }
        times[sid] = min(times[sid] ?? time, time)
    }

    subscript(sid: Int64) -> Int64? { times[sid] }

    /// The sessions, the longest waiting first.
    var sids: [Int64] { times.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) }
}
