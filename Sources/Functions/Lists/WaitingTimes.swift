import Agents
import EventLoop
import SessionRecords

/// Since when the sessions of this bridge wait for a person: the time of the oldest open request of each. Requests without a session are
/// left out.
struct WaitingTimes {
    /// Milliseconds since 1970, by the session's number in the log.
    private var times: [Int64: Int64] = [:]

    init() {}

    @LoopActor init(_ runs: [AgentRun]) {
        for run in runs {
            for request in run.pendingPermissions { add(request.journal, at: request.askedTs) }
            for request in run.pendingElicitations { add(request.session?.journal, at: request.createdTs) }
        }
    }

    mutating func add(_ journal: String?, at time: Int64) {
        guard let sid = journal.flatMap(Journal.init)?.sid else { return }
        times[sid] = min(times[sid] ?? time, time)
    }

    subscript(sid: Int64) -> Int64? { times[sid] }

    /// The sessions, the longest waiting first.
    var sids: [Int64] { times.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) }
}
