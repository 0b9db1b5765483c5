import Agents
import EventLoop
import JSONScan
import SessionStreams

/// The present work of all agents, for the status and the metrics.
struct BridgeWork {
    /// Sessions in which a turn runs or a prompt is not answered.
    private(set) var runningTurns = 0
    /// Items of background work that agents have reported.
    private(set) var backgroundItems = 0
    /// Live sessions that are children of others.
    private(set) var childSessions = 0
    /// Permission requests and elicitations that wait for an answer.
    private(set) var pendingRequests = 0
    /// Sessions whose agent has ended, and whose end is not stored yet.
    private(set) var endingSessions = 0

    @LoopActor init(of sessions: some Collection<Session>, _ runs: some Collection<AgentRun>) {
        for session in sessions {
            guard session.isLive else {
                endingSessions += 1
                continue
            }
            if session.isRunning { runningTurns += 1 }
            backgroundItems += session.activity.backgroundCount
            if session.parentId != nil { childSessions += 1 }
        }
        for run in runs { pendingRequests += run.sessions?.router.pendingCount ?? 0 }
    }

    func write(to writer: inout JSONWriter) {
        writer.member("runningTurns", runningTurns)
        writer.member("backgroundItems", backgroundItems)
        writer.member("childSessions", childSessions)
        writer.member("pendingRequests", pendingRequests)
        if endingSessions > 0 { writer.member("endingSessions", endingSessions) }
    }
}

extension Bridge {
    var work: BridgeWork { BridgeWork(of: registry.live.all, agents.runs) }
}
