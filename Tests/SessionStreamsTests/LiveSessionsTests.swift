import TestSupport
import Testing

@testable import EventLoop
@testable import Posix
@testable import SessionStreams

private final class Member: IdentifiedSession {
    let id: String
    init(_ id: String) { self.id = id }
}

@Suite(.serialized) struct LiveSessionsTests {
    init() { LoopThread.start }

    @Test @LoopActor func sessionsOfOneIdAreFoundInTheirOrder() {
        var live = LiveSessions<Member>()
        let (first, second, other) = (Member("s"), Member("s"), Member("t"))
        for member in [first, second, other] { live.add(member) }
        #expect(live.sessions(id: "s").map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
        #expect(live.repeatedIds == ["s"])
        live.remove(first)
        live.remove(first)
        #expect(live.repeatedIds == [])
        #expect(live.sessions(id: "s").map(ObjectIdentifier.init) == [second].map(ObjectIdentifier.init))
        #expect(live.count == 2 && live.sessions(id: "u").isEmpty)
    }

    @Test @LoopActor func allSessionsAreClaimedWhenEachIsClaimedOrRemoved() {
        var live = LiveSessions<Member>()
        let (first, second) = (Member("s"), Member("t"))
        #expect(live.areAllClaimed)
        live.add(first)
        live.add(second)
        live.claimed(first)
        live.claimed(first)
        #expect(!live.areAllClaimed)
        live.remove(second)
        #expect(live.areAllClaimed)
    }

    /// One agent can have 10,000 sessions.
    @Test @LoopActor func theCostOfAClaimAndAnEndIsIndependentOfTheSessionCount() {
        let cost = WorkCost { count in
            var live = LiveSessions<Member>()
            let all = (0..<count).map { Member("session-\($0)") }
            for member in all { live.add(member) }
            for member in all {
                live.claimed(member)
                _ = live.areAllClaimed
            }
            for member in all.reversed() { live.remove(member) }
        }
        #expect(cost.isLinear, "\(cost)")
    }
}
